ALTER TABLE `campaign` ADD `text` text;
ALTER TABLE `content` ADD `text` text;
ALTER TABLE `template` ADD `text` text;
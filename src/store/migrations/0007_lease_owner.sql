ALTER TABLE `email` ADD `lease_owner` text;
ALTER TABLE `job` ADD `lease_owner` text;
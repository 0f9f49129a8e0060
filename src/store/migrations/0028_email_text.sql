CREATE TABLE `email_text` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` text NOT NULL,
	`after_id` text NOT NULL,
	`last_id` text NOT NULL,
	`recipients` text NOT NULL,
	`subjects` text NOT NULL,
	`starts` text NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `email_text_range` ON `email_text` (`project_id`,`last_id`,`after_id`);

-- A block has every message of its range, as it is. Only the next block can have an id in its range.
CREATE TRIGGER `email_text_added` AFTER INSERT ON `email`
BEGIN
	DELETE FROM `email_text` WHERE `seq` = (
		SELECT `seq` FROM `email_text` WHERE `project_id` = new.`project_id` AND `last_id` >= new.`id` ORDER BY `last_id` LIMIT 1
	) AND `after_id` < new.`id`;
END;

CREATE TRIGGER `email_text_changed` AFTER UPDATE OF `to_address`, `subject` ON `email`
WHEN new.`to_address` <> old.`to_address` OR new.`subject` <> old.`subject`
BEGIN
	DELETE FROM `email_text` WHERE `seq` = (
		SELECT `seq` FROM `email_text` WHERE `project_id` = old.`project_id` AND `last_id` >= old.`id` ORDER BY `last_id` LIMIT 1
	) AND `after_id` < old.`id`;
END;

CREATE TRIGGER `email_text_removed` AFTER DELETE ON `email`
BEGIN
	DELETE FROM `email_text` WHERE `seq` = (
		SELECT `seq` FROM `email_text` WHERE `project_id` = old.`project_id` AND `last_id` >= old.`id` ORDER BY `last_id` LIMIT 1
	) AND `after_id` < old.`id`;
END;

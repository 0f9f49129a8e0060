CREATE TABLE `alert` (
	`key` text PRIMARY KEY NOT NULL,
	`sentence` text NOT NULL,
	`since` integer NOT NULL
);

CREATE TABLE `email_count` (
	`project_id` text NOT NULL,
	`lane` integer NOT NULL,
	`source_type` text NOT NULL,
	`status` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`project_id`, `lane`, `source_type`, `status`),
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;

CREATE INDEX `email_status` ON `email` (`project_id`,`status`,`id`);

-- What is there, and every change from now on. Deletions only update, because the counts of a project may be deleted
-- before its mails.
INSERT INTO `email_count` (`project_id`, `lane`, `source_type`, `status`, `count`)
	SELECT `project_id`, `lane`, `source_type`, `status`, count(*) FROM `email` GROUP BY 1, 2, 3, 4;

CREATE TRIGGER `email_count_added` AFTER INSERT ON `email`
BEGIN
	INSERT INTO `email_count` (`project_id`, `lane`, `source_type`, `status`, `count`) VALUES (new.`project_id`, new.`lane`, new.`source_type`, new.`status`, 1)
		ON CONFLICT (`project_id`, `lane`, `source_type`, `status`) DO UPDATE SET `count` = `count` + 1;
END;

CREATE TRIGGER `email_count_changed` AFTER UPDATE OF `status`, `lane`, `source_type` ON `email`
WHEN new.`status` <> old.`status` OR new.`lane` <> old.`lane` OR new.`source_type` <> old.`source_type`
BEGIN
	UPDATE `email_count` SET `count` = `count` - 1
		WHERE `project_id` = old.`project_id` AND `lane` = old.`lane` AND `source_type` = old.`source_type` AND `status` = old.`status`;
	INSERT INTO `email_count` (`project_id`, `lane`, `source_type`, `status`, `count`) VALUES (new.`project_id`, new.`lane`, new.`source_type`, new.`status`, 1)
		ON CONFLICT (`project_id`, `lane`, `source_type`, `status`) DO UPDATE SET `count` = `count` + 1;
END;

CREATE TRIGGER `email_count_removed` AFTER DELETE ON `email`
BEGIN
	UPDATE `email_count` SET `count` = `count` - 1
		WHERE `project_id` = old.`project_id` AND `lane` = old.`lane` AND `source_type` = old.`source_type` AND `status` = old.`status`;
END;

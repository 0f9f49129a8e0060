CREATE TABLE `request` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` text,
	`at` integer NOT NULL,
	`method` text NOT NULL,
	`route` text NOT NULL,
	`status` integer NOT NULL,
	`duration` integer NOT NULL,
	`key` text NOT NULL
);

CREATE INDEX `request_project` ON `request` (`project_id`,`id`);
CREATE TABLE `freed` (
	`day` text NOT NULL,
	`name` text NOT NULL,
	`rows` integer NOT NULL,
	`bytes` integer NOT NULL,
	PRIMARY KEY(`day`, `name`)
);

CREATE TABLE `upload` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`hash` text NOT NULL,
	`content_type` text NOT NULL,
	`size` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE UNIQUE INDEX `upload_hash` ON `upload` (`project_id`,`hash`);
CREATE INDEX `upload_size` ON `upload` (`project_id`,`size`);
ALTER TABLE `content` ADD `used_at` integer DEFAULT 0 NOT NULL;
CREATE INDEX `content_used` ON `content` (`used_at`);
ALTER TABLE `link` ADD `used_at` integer DEFAULT 0 NOT NULL;
CREATE INDEX `link_used` ON `link` (`used_at`);
CREATE INDEX `email_content` ON `email` (`created_at`) WHERE content_hash > '';
-- What is there may be in use until now.
UPDATE `content` SET `used_at` = CAST(unixepoch('subsec') * 1000 AS INTEGER);
UPDATE `link` SET `used_at` = CAST(unixepoch('subsec') * 1000 AS INTEGER);
-- The job that `retention.sweep` replaces.
DELETE FROM `job` WHERE `kind` = 'original.sweep';
DELETE FROM `recurring` WHERE `name` = 'original.sweep';

CREATE TABLE `inbox_mark` (
	`project_id` text NOT NULL,
	`row_id` text NOT NULL,
	`read` integer NOT NULL,
	PRIMARY KEY(`project_id`, `row_id`),
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE TABLE `inbox_state` (
	`project_id` text PRIMARY KEY NOT NULL,
	`read_up_to` text NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE TABLE `inbox_text` (
	`project_id` text NOT NULL,
	`source` text NOT NULL,
	`text` text NOT NULL,
	`attachments` integer NOT NULL,
	PRIMARY KEY(`project_id`, `source`),
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade
);

ALTER TABLE `email` ADD `lead_id` text REFERENCES email(id) ON DELETE SET NULL;
ALTER TABLE `email` ADD `addressed_by` text;
CREATE INDEX `email_message` ON `email` (`project_id`,`id`) WHERE lead_id IS NULL AND campaign_id IS NULL;
CREATE INDEX `email_lead` ON `email` (`lead_id`) WHERE lead_id IS NOT NULL;

-- What is there already counts as read.
INSERT INTO `inbox_state` SELECT `project_id`, max(`id`) FROM `email` GROUP BY `project_id`;

CREATE TABLE `__new_template` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`subject` text NOT NULL,
	`from_address` text NOT NULL,
	`from_name` text,
	`reply_to` text,
	`type` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`search_text` text DEFAULT '' NOT NULL,
	`body` text NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade
);

INSERT INTO `__new_template`("id", "project_id", "name", "description", "subject", "from_address", "from_name", "reply_to", "type", "created_at", "updated_at", "search_text", "body") SELECT "id", "project_id", "name", "description", "subject", "from_address", "from_name", "reply_to", "type", "created_at", "updated_at", upper("name" || char(10) || "subject" || char(10) || coalesce("description", '')), "body" FROM `template`;
DROP TABLE `template`;
ALTER TABLE `__new_template` RENAME TO `template`;
CREATE INDEX `template_created` ON `template` (`project_id`,`created_at`,`id`);
CREATE INDEX `template_updated` ON `template` (`project_id`,`updated_at`,`id`);
CREATE INDEX `template_name` ON `template` (`project_id`,lower(name),`id`);

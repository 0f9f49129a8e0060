CREATE TABLE `workflow_call` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL,
	`lease_owner` text,
	`lease_until` integer,
	FOREIGN KEY (`id`) REFERENCES `workflow_step_execution`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `workflow_call_due` ON `workflow_call` (`project_id`,`due_at`);
CREATE INDEX `workflow_call_leased` ON `workflow_call` (`lease_until`) WHERE lease_until IS NOT NULL;
CREATE TABLE `workflow_draft` (
	`workflow_id` text PRIMARY KEY NOT NULL,
	`graph` text NOT NULL,
	`based_on` integer NOT NULL,
	`revision` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`workflow_id`) REFERENCES `workflow`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE TABLE `workflow_execution` (
	`id` text PRIMARY KEY NOT NULL,
	`workflow_id` text NOT NULL,
	`project_id` text NOT NULL,
	`contact_id` text NOT NULL,
	`status` text NOT NULL,
	`current_step_id` text,
	`exit_reason` text,
	`context` text NOT NULL,
	`event_id` text,
	`steps` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`waits_for` text,
	`waits_after` integer,
	`started_at` integer NOT NULL,
	`completed_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`contact_id`) REFERENCES `contact`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `workflow_execution_workflow` ON `workflow_execution` (`workflow_id`,`id`);
CREATE INDEX `workflow_execution_status` ON `workflow_execution` (`workflow_id`,`status`,`id`);
CREATE INDEX `workflow_execution_step` ON `workflow_execution` (`current_step_id`,`id`) WHERE current_step_id IS NOT NULL;
CREATE INDEX `workflow_execution_contact` ON `workflow_execution` (`contact_id`,`workflow_id`);
CREATE INDEX `workflow_execution_due` ON `workflow_execution` (`due_at`) WHERE due_at IS NOT NULL;
CREATE INDEX `workflow_execution_waiting` ON `workflow_execution` (`project_id`,`waits_for`,`contact_id`) WHERE waits_for IS NOT NULL;
CREATE TABLE `workflow_step_execution` (
	`id` text PRIMARY KEY NOT NULL,
	`execution_id` text NOT NULL,
	`step_id` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`scheduled_for` integer,
	`output` text,
	`error` text,
	`started_at` integer NOT NULL,
	`completed_at` integer,
	FOREIGN KEY (`execution_id`) REFERENCES `workflow_execution`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `workflow_step_execution_execution` ON `workflow_step_execution` (`execution_id`,`id`);
CREATE INDEX `workflow_step_execution_open` ON `workflow_step_execution` (`execution_id`) WHERE completed_at IS NULL;
CREATE INDEX `workflow_step_execution_step` ON `workflow_step_execution` (`step_id`,`started_at`);
CREATE TABLE `workflow_step` (
	`id` text PRIMARY KEY NOT NULL,
	`workflow_id` text NOT NULL,
	`type` text NOT NULL,
	`name` text NOT NULL,
	`position` text NOT NULL,
	`config` text NOT NULL,
	`template_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`workflow_id`) REFERENCES `workflow`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `workflow_step_workflow` ON `workflow_step` (`workflow_id`,`id`);
CREATE INDEX `workflow_step_template` ON `workflow_step` (`template_id`);
CREATE TABLE `workflow_transition` (
	`id` text PRIMARY KEY NOT NULL,
	`workflow_id` text NOT NULL,
	`from_step_id` text NOT NULL,
	`to_step_id` text NOT NULL,
	`branch` text NOT NULL,
	`priority` integer NOT NULL,
	`automatic` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`workflow_id`) REFERENCES `workflow`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`from_step_id`) REFERENCES `workflow_step`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`to_step_id`) REFERENCES `workflow_step`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `workflow_transition_workflow` ON `workflow_transition` (`workflow_id`,`id`);
CREATE UNIQUE INDEX `workflow_transition_exit` ON `workflow_transition` (`from_step_id`,`branch`);
CREATE INDEX `workflow_transition_entry` ON `workflow_transition` (`to_step_id`);
CREATE TABLE `workflow_version` (
	`workflow_id` text NOT NULL,
	`version` integer NOT NULL,
	`graph` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workflow_id`, `version`),
	FOREIGN KEY (`workflow_id`) REFERENCES `workflow`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE TABLE `workflow` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`enabled` integer NOT NULL,
	`trigger_type` text NOT NULL,
	`event_name` text,
	`allow_reentry` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `workflow_project` ON `workflow` (`project_id`,`id`);
CREATE INDEX `workflow_event` ON `workflow` (`project_id`,`event_name`);
CREATE INDEX `email_execution` ON `email` (`workflow_execution_id`) WHERE workflow_execution_id IS NOT NULL;
CREATE TABLE `contact` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`project_id` text NOT NULL,
	`email` text NOT NULL,
	`subscribed` integer NOT NULL,
	`data` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE UNIQUE INDEX `contact_id_unique` ON `contact` (`id`);
CREATE UNIQUE INDEX `contact_email` ON `contact` (`project_id`,`email`);
CREATE INDEX `contact_created` ON `contact` (`project_id`,`created_at`,`id`);
CREATE TABLE `field` (
	`project_id` text NOT NULL,
	`key` text NOT NULL,
	`type` text NOT NULL,
	`contact_count` integer NOT NULL,
	PRIMARY KEY(`project_id`, `key`),
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE TABLE `domain` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`domain` text NOT NULL,
	`verified` integer DEFAULT false NOT NULL,
	`vouched` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE UNIQUE INDEX `domain_domain_unique` ON `domain` (`domain`);
CREATE INDEX `domain_project` ON `domain` (`project_id`);
CREATE TABLE `content` (
	`project_id` text NOT NULL,
	`hash` text NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`literal` integer NOT NULL,
	`headers` text NOT NULL,
	`attachments` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`project_id`, `hash`),
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE TABLE `email` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`contact_id` text,
	`template_id` text,
	`campaign_id` text,
	`workflow_execution_id` text,
	`content_hash` text,
	`variables` text,
	`locale` text NOT NULL,
	`to_address` text NOT NULL,
	`to_name` text,
	`from_address` text NOT NULL,
	`from_name` text,
	`reply_to` text,
	`subject` text NOT NULL,
	`type` text NOT NULL,
	`source_type` text NOT NULL,
	`status` text NOT NULL,
	`message_id` text NOT NULL,
	`provider_id` text,
	`lane` integer NOT NULL,
	`attempt` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL,
	`lease_until` integer,
	`error` text,
	`opens` integer DEFAULT 0 NOT NULL,
	`clicks` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sent_at` integer,
	`delivered_at` integer,
	`opened_at` integer,
	`clicked_at` integer,
	`bounced_at` integer,
	`complained_at` integer,
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`contact_id`) REFERENCES `contact`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`template_id`) REFERENCES `template`(`id`) ON UPDATE no action ON DELETE set null
);

CREATE INDEX `email_pending` ON `email` (`lane`,`project_id`,`due_at`,`id`) WHERE status = 'PENDING';
CREATE INDEX `email_sending` ON `email` (`lease_until`) WHERE status = 'SENDING';
CREATE INDEX `email_recent` ON `email` (`project_id`,`id`);
CREATE INDEX `email_contact` ON `email` (`contact_id`,`id`);
CREATE INDEX `email_campaign` ON `email` (`campaign_id`,`id`) WHERE campaign_id IS NOT NULL;
CREATE INDEX `email_template` ON `email` (`template_id`,`id`) WHERE template_id IS NOT NULL;
CREATE TABLE `event` (
	`id` text NOT NULL,
	`project_id` text NOT NULL,
	`contact_id` text,
	`email_id` text,
	`name` text NOT NULL,
	`data` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`project_id`, `id`),
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`contact_id`) REFERENCES `contact`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `event_contact` ON `event` (`contact_id`,`name`,`created_at`);
CREATE INDEX `event_name` ON `event` (`project_id`,`name`,`created_at`);
CREATE TABLE `project` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`public_key` text NOT NULL,
	`secret_hash` text NOT NULL,
	`secret_sealed` text NOT NULL,
	`disabled` integer DEFAULT false NOT NULL,
	`disabled_reason` text,
	`tracking` text DEFAULT 'ENABLED' NOT NULL,
	`language` text DEFAULT 'en' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);

CREATE UNIQUE INDEX `project_public_key_unique` ON `project` (`public_key`);
CREATE UNIQUE INDEX `project_secret_hash_unique` ON `project` (`secret_hash`);
CREATE TABLE `captured` (
	`email_id` text PRIMARY KEY NOT NULL,
	`raw_id` integer NOT NULL,
	FOREIGN KEY (`email_id`) REFERENCES `email`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;

CREATE TABLE `raw_message` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`bytes` blob NOT NULL
);

CREATE TABLE `template` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`from_address` text NOT NULL,
	`from_name` text,
	`reply_to` text,
	`type` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `template_created` ON `template` (`project_id`,`created_at`,`id`);
CREATE TABLE `cursor` (
	`subscriber` text PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`retry_at` integer DEFAULT 0 NOT NULL
);

CREATE TABLE `parked_signal` (
	`subscriber` text NOT NULL,
	`seq` integer NOT NULL,
	`name` text NOT NULL,
	`project_id` text NOT NULL,
	`payload` text NOT NULL,
	`error` text NOT NULL,
	`created_at` integer NOT NULL,
	`parked_at` integer NOT NULL,
	PRIMARY KEY(`subscriber`, `seq`)
);

CREATE TABLE `signal` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`project_id` text NOT NULL,
	`payload` text NOT NULL,
	`created_at` integer NOT NULL
);

CREATE TABLE `job` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`payload` text NOT NULL,
	`state` text DEFAULT 'pending' NOT NULL,
	`unique_key` text,
	`run_at` integer NOT NULL,
	`attempt` integer DEFAULT 0 NOT NULL,
	`lease_until` integer,
	`error` text,
	`created_at` integer NOT NULL,
	`finished_at` integer
);

CREATE INDEX `job_due` ON `job` (`kind`,`run_at`) WHERE state = 'pending';
CREATE INDEX `job_leased` ON `job` (`lease_until`) WHERE state = 'running';
CREATE INDEX `job_finished` ON `job` (`finished_at`) WHERE finished_at IS NOT NULL;
CREATE UNIQUE INDEX `job_unique` ON `job` (`unique_key`) WHERE state IN ('pending', 'running');
CREATE TABLE `recurring` (
	`name` text PRIMARY KEY NOT NULL,
	`schedule` text NOT NULL,
	`next_at` integer NOT NULL
);

CREATE TABLE `idempotency_key` (
	`project_id` text NOT NULL,
	`key` text NOT NULL,
	`request` text NOT NULL,
	`status_code` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`project_id`, `key`)
);

CREATE INDEX `idempotency_age` ON `idempotency_key` (`created_at`);
CREATE TABLE `attempt` (
	`key` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`started_at` integer NOT NULL,
	`ends_at` integer NOT NULL
);

CREATE INDEX `attempt_end` ON `attempt` (`ends_at`);
CREATE TABLE `member` (
	`project_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`project_id`, `user_id`),
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `member_user` ON `member` (`user_id`);
CREATE TABLE `session` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`user_agent` text NOT NULL,
	`address` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`confirmed_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `session_user` ON `session` (`user_id`,`created_at`);
CREATE INDEX `session_expiry` ON `session` (`expires_at`);
CREATE TABLE `account_token` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`purpose` text NOT NULL,
	`user_id` text,
	`email` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE UNIQUE INDEX `account_token_hash_unique` ON `account_token` (`hash`);
CREATE INDEX `account_token_user` ON `account_token` (`user_id`,`purpose`,`created_at`);
CREATE INDEX `account_token_expiry` ON `account_token` (`expires_at`);
CREATE TABLE `user` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`password_hash` text NOT NULL,
	`is_owner` integer DEFAULT false NOT NULL,
	`verified_at` integer,
	`language` text DEFAULT 'en' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);

CREATE UNIQUE INDEX `user_email_unique` ON `user` (`email`);
CREATE UNIQUE INDEX `user_owner` ON `user` (`is_owner`) WHERE is_owner = 1;
CREATE TABLE `audit` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text,
	`action` text NOT NULL,
	`user_id` text,
	`actor` text NOT NULL,
	`address` text,
	`details` text NOT NULL,
	`created_at` integer NOT NULL
);

CREATE INDEX `audit_project` ON `audit` (`project_id`,`created_at`,`id`);
CREATE INDEX `audit_time` ON `audit` (`created_at`,`id`);
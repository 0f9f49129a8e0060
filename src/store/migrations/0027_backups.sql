CREATE TABLE `backup` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`state` text NOT NULL,
	`encrypted` integer NOT NULL,
	`has_secret` integer NOT NULL,
	`bytes` integer,
	`reason` text,
	`started_at` integer NOT NULL,
	`ended_at` integer
);

CREATE INDEX `backup_time` ON `backup` (`started_at`,`id`);
CREATE TABLE `import_job` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`status` text DEFAULT 'queued' NOT NULL,
	`total_rows` integer DEFAULT 0 NOT NULL,
	`imported` integer DEFAULT 0 NOT NULL,
	`updated` integer DEFAULT 0 NOT NULL,
	`skipped` integer DEFAULT 0 NOT NULL,
	`failed_reason` text,
	`vain_runs` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade
);
CREATE INDEX `import_job_project` ON `import_job` (`project_id`);
CREATE INDEX `import_job_finished` ON `import_job` (`finished_at`) WHERE finished_at IS NOT NULL;

CREATE TABLE `import_error` (
	`import_id` text NOT NULL,
	`row` integer NOT NULL,
	`email` text NOT NULL,
	`reason` text NOT NULL,
	PRIMARY KEY(`import_id`, `row`),
	FOREIGN KEY (`import_id`) REFERENCES `import_job`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE TABLE `bulk_job` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`operation` text NOT NULL,
	`status` text DEFAULT 'queued' NOT NULL,
	`total` integer DEFAULT 0 NOT NULL,
	`succeeded` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`vain_runs` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade
);
CREATE INDEX `bulk_job_project` ON `bulk_job` (`project_id`);
CREATE INDEX `bulk_job_finished` ON `bulk_job` (`finished_at`) WHERE finished_at IS NOT NULL;

CREATE TABLE `bulk_selection` (
	`bulk_id` text PRIMARY KEY NOT NULL,
	`selection` text NOT NULL,
	FOREIGN KEY (`bulk_id`) REFERENCES `bulk_job`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE TABLE `bulk_error` (
	`bulk_id` text NOT NULL,
	`contact_id` text NOT NULL,
	`reason` text NOT NULL,
	PRIMARY KEY(`bulk_id`, `contact_id`),
	FOREIGN KEY (`bulk_id`) REFERENCES `bulk_job`(`id`) ON UPDATE no action ON DELETE cascade
);

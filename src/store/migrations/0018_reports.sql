CREATE TABLE `report` (
	`key` text PRIMARY KEY NOT NULL,
	`received_at` integer NOT NULL
);

CREATE INDEX `report_received` ON `report` (`received_at`);
CREATE INDEX `email_provider` ON `email` (`provider_id`) WHERE provider_id IS NOT NULL;
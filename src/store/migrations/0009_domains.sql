CREATE TABLE `dkim_key` (
	`id` text PRIMARY KEY NOT NULL,
	`domain_id` text NOT NULL,
	`selector` text NOT NULL,
	`algorithm` text NOT NULL,
	`public_key` text NOT NULL,
	`private_sealed` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`domain_id`) REFERENCES `domain`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE UNIQUE INDEX `dkim_key_selector` ON `dkim_key` (`domain_id`,`selector`);
ALTER TABLE `domain` ADD `status` text DEFAULT 'PENDING' NOT NULL;
ALTER TABLE `domain` ADD `checks` text DEFAULT '{}' NOT NULL;
ALTER TABLE `domain` ADD `misses` integer DEFAULT 0 NOT NULL;
ALTER TABLE `domain` ADD `pending_since` integer DEFAULT 0 NOT NULL;
ALTER TABLE `domain` ADD `last_checked_at` integer;
UPDATE `domain` SET `status` = CASE `verified` WHEN 1 THEN 'VERIFIED' ELSE 'PENDING' END, `pending_since` = `created_at`;

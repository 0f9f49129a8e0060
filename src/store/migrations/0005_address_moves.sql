CREATE TABLE `contact_move` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` text NOT NULL,
	`contact_id` text NOT NULL,
	`email` text NOT NULL,
	`moved_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`contact_id`) REFERENCES `contact`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `contact_move_email` ON `contact_move` (`project_id`,`email`,`contact_id`);
CREATE INDEX `contact_move_contact` ON `contact_move` (`contact_id`);
CREATE INDEX `contact_move_moved` ON `contact_move` (`moved_at`);
CREATE TABLE `campaign` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`subject` text NOT NULL,
	`from_address` text NOT NULL,
	`from_name` text,
	`reply_to` text,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`audience_type` text NOT NULL,
	`audience_condition` text,
	`segment_id` text,
	`scheduled_for` integer,
	`total_recipients` integer DEFAULT 0 NOT NULL,
	`cancel_reason` text,
	`sent_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`search_text` text DEFAULT '' NOT NULL,
	`body` text NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `campaign_project` ON `campaign` (`project_id`,`id`);
CREATE INDEX `campaign_status` ON `campaign` (`status`,`scheduled_for`);
CREATE TABLE `campaign_tally` (
	`campaign_id` text PRIMARY KEY NOT NULL,
	`created` integer DEFAULT 0 NOT NULL,
	`open` integer DEFAULT 0 NOT NULL,
	`sent` integer DEFAULT 0 NOT NULL,
	`delivered` integer DEFAULT 0 NOT NULL,
	`opened` integer DEFAULT 0 NOT NULL,
	`clicked` integer DEFAULT 0 NOT NULL,
	`bounced` integer DEFAULT 0 NOT NULL,
	`complained` integer DEFAULT 0 NOT NULL,
	`unsubscribed` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`cancelled` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`campaign_id`) REFERENCES `campaign`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE TABLE `campaign_walk` (
	`campaign_id` text PRIMARY KEY NOT NULL,
	`until_seq` integer NOT NULL,
	`position_seq` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`campaign_id`) REFERENCES `campaign`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE TABLE `link` (
	`hash` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`url` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE TABLE `segment_member` (
	`segment_id` text NOT NULL,
	`contact_id` text NOT NULL,
	`joined_at` integer NOT NULL,
	PRIMARY KEY(`segment_id`, `contact_id`),
	FOREIGN KEY (`contact_id`) REFERENCES `contact`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;

CREATE INDEX `segment_member_contact` ON `segment_member` (`contact_id`);
CREATE TABLE `segment` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`type` text NOT NULL,
	`condition` text,
	`track_membership` integer NOT NULL,
	`member_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `segment_project` ON `segment` (`project_id`,`id`);
CREATE TABLE `event_tally` (
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`project_id`, `name`),
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade
);

ALTER TABLE `email` ADD `unsubscribed_at` integer;
ALTER TABLE `email` ADD `scanner_opens` integer DEFAULT 0 NOT NULL;
ALTER TABLE `email` ADD `scanner_clicks` integer DEFAULT 0 NOT NULL;
CREATE INDEX `email_campaign_pending` ON `email` (`campaign_id`,`id`) WHERE status = 'PENDING' AND campaign_id IS NOT NULL;

-- What is counted of a campaign follows every change of its mails, whoever makes it.
CREATE TRIGGER `campaign_mail_added` AFTER INSERT ON `email` WHEN new.`campaign_id` IS NOT NULL
BEGIN
	UPDATE `campaign_tally` SET
		`created` = `created` + 1,
		`open` = `open` + (new.`status` IN ('PENDING', 'SENDING')),
		`failed` = `failed` + (new.`status` = 'FAILED'),
		`cancelled` = `cancelled` + (new.`status` = 'CANCELLED')
		WHERE `campaign_id` = new.`campaign_id`;
END;

CREATE TRIGGER `campaign_mail_changed`
AFTER UPDATE OF `status`, `sent_at`, `delivered_at`, `opened_at`, `clicked_at`, `bounced_at`, `complained_at`, `unsubscribed_at`
ON `email` WHEN new.`campaign_id` IS NOT NULL AND new.`campaign_id` = old.`campaign_id`
BEGIN
	UPDATE `campaign_tally` SET
		`open` = `open` + (new.`status` IN ('PENDING', 'SENDING')) - (old.`status` IN ('PENDING', 'SENDING')),
		`sent` = `sent` + (new.`sent_at` IS NOT NULL) - (old.`sent_at` IS NOT NULL),
		`delivered` = `delivered` + (new.`delivered_at` IS NOT NULL) - (old.`delivered_at` IS NOT NULL),
		`opened` = `opened` + (new.`opened_at` IS NOT NULL) - (old.`opened_at` IS NOT NULL),
		`clicked` = `clicked` + (new.`clicked_at` IS NOT NULL) - (old.`clicked_at` IS NOT NULL),
		`bounced` = `bounced` + (new.`bounced_at` IS NOT NULL) - (old.`bounced_at` IS NOT NULL),
		`complained` = `complained` + (new.`complained_at` IS NOT NULL) - (old.`complained_at` IS NOT NULL),
		`unsubscribed` = `unsubscribed` + (new.`unsubscribed_at` IS NOT NULL) - (old.`unsubscribed_at` IS NOT NULL),
		`failed` = `failed` + (new.`status` = 'FAILED') - (old.`status` = 'FAILED'),
		`cancelled` = `cancelled` + (new.`status` = 'CANCELLED') - (old.`status` = 'CANCELLED')
		WHERE `campaign_id` = new.`campaign_id`;
END;

CREATE TRIGGER `campaign_mail_removed` AFTER DELETE ON `email` WHEN old.`campaign_id` IS NOT NULL
BEGIN
	UPDATE `campaign_tally` SET
		`created` = `created` - 1,
		`open` = `open` - (old.`status` IN ('PENDING', 'SENDING')),
		`sent` = `sent` - (old.`sent_at` IS NOT NULL),
		`delivered` = `delivered` - (old.`delivered_at` IS NOT NULL),
		`opened` = `opened` - (old.`opened_at` IS NOT NULL),
		`clicked` = `clicked` - (old.`clicked_at` IS NOT NULL),
		`bounced` = `bounced` - (old.`bounced_at` IS NOT NULL),
		`complained` = `complained` - (old.`complained_at` IS NOT NULL),
		`unsubscribed` = `unsubscribed` - (old.`unsubscribed_at` IS NOT NULL),
		`failed` = `failed` - (old.`status` = 'FAILED'),
		`cancelled` = `cancelled` - (old.`status` = 'CANCELLED')
		WHERE `campaign_id` = old.`campaign_id`;
END;

-- How many events of each name a project has: lists, names and counts of all time cost the same for any number of events.
INSERT INTO `event_tally` (`project_id`, `name`, `count`)
	SELECT `project_id`, `name`, count(*) FROM `event` GROUP BY `project_id`, `name`;

CREATE TRIGGER `event_added` AFTER INSERT ON `event`
BEGIN
	INSERT INTO `event_tally` (`project_id`, `name`, `count`) VALUES (new.`project_id`, new.`name`, 1)
		ON CONFLICT (`project_id`, `name`) DO UPDATE SET `count` = `count` + 1;
END;

CREATE TRIGGER `event_removed` AFTER DELETE ON `event`
BEGIN
	UPDATE `event_tally` SET `count` = `count` - 1 WHERE `project_id` = old.`project_id` AND `name` = old.`name`;
	DELETE FROM `event_tally` WHERE `project_id` = old.`project_id` AND `name` = old.`name` AND `count` = 0;
END;

CREATE TABLE `activity_tally` (
	`project_id` text NOT NULL,
	`kind` text NOT NULL,
	`hour` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`project_id`, `kind`, `hour`),
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;

CREATE TABLE `domain_day` (
	`project_id` text NOT NULL,
	`day` integer NOT NULL,
	`domain` text NOT NULL,
	`sent` integer NOT NULL,
	`delivered` integer NOT NULL,
	`opened` integer NOT NULL,
	`clicked` integer NOT NULL,
	`bounced` integer NOT NULL,
	`complained` integer NOT NULL,
	PRIMARY KEY(`project_id`, `day`, `domain`),
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;

CREATE TABLE `event_day` (
	`project_id` text NOT NULL,
	`day` integer NOT NULL,
	`name` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`project_id`, `day`, `name`),
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;

ALTER TABLE `campaign` ADD `scheduled_at` integer;
CREATE INDEX `campaign_scheduled_at` ON `campaign` (`project_id`,`scheduled_at`) WHERE scheduled_at IS NOT NULL;
CREATE INDEX `campaign_sent_at` ON `campaign` (`project_id`,`sent_at`) WHERE sent_at IS NOT NULL;
CREATE INDEX `email_sent_at` ON `email` (`project_id`,`sent_at`) WHERE sent_at IS NOT NULL;
CREATE INDEX `email_delivered_at` ON `email` (`project_id`,`delivered_at`) WHERE delivered_at IS NOT NULL;
CREATE INDEX `email_opened_at` ON `email` (`project_id`,`opened_at`) WHERE opened_at IS NOT NULL;
CREATE INDEX `email_clicked_at` ON `email` (`project_id`,`clicked_at`) WHERE clicked_at IS NOT NULL;
CREATE INDEX `email_bounced_at` ON `email` (`project_id`,`bounced_at`) WHERE bounced_at IS NOT NULL;
CREATE INDEX `email_complained_at` ON `email` (`project_id`,`complained_at`) WHERE complained_at IS NOT NULL;
CREATE INDEX `email_received_at` ON `email` (`project_id`,`created_at`) WHERE source_type = 'INBOUND';
CREATE INDEX `event_plain` ON `event` (`project_id`,`created_at`) WHERE substr(name, 1, 6) <> 'email.' AND name NOT IN ('contact.subscribed', 'contact.unsubscribed');

-- What happened before. When a campaign was scheduled is known only as long as nothing came after it.
UPDATE `campaign` SET `scheduled_at` = CASE `status` WHEN 'SCHEDULED' THEN `updated_at` ELSE `created_at` END
	WHERE `scheduled_for` IS NOT NULL;
INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
	SELECT `project_id`, 'email.sent', `sent_at` / 3600000, count(*) FROM `email` WHERE `sent_at` IS NOT NULL GROUP BY 1, 3;
INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
	SELECT `project_id`, 'email.delivered', `delivered_at` / 3600000, count(*) FROM `email` WHERE `delivered_at` IS NOT NULL GROUP BY 1, 3;
INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
	SELECT `project_id`, 'email.opened', `opened_at` / 3600000, count(*) FROM `email` WHERE `opened_at` IS NOT NULL GROUP BY 1, 3;
INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
	SELECT `project_id`, 'email.clicked', `clicked_at` / 3600000, count(*) FROM `email` WHERE `clicked_at` IS NOT NULL GROUP BY 1, 3;
INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
	SELECT `project_id`, 'email.bounced', `bounced_at` / 3600000, count(*) FROM `email` WHERE `bounced_at` IS NOT NULL GROUP BY 1, 3;
INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
	SELECT `project_id`, 'email.complaint', `complained_at` / 3600000, count(*) FROM `email` WHERE `complained_at` IS NOT NULL GROUP BY 1, 3;
INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
	SELECT `project_id`, 'email.received', CASE WHEN `source_type` = 'INBOUND' THEN `created_at` END / 3600000, count(*) FROM `email` WHERE CASE WHEN `source_type` = 'INBOUND' THEN `created_at` END IS NOT NULL GROUP BY 1, 3;
INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
	SELECT `project_id`, 'sent.opened', CASE WHEN `opened_at` IS NOT NULL THEN `sent_at` END / 3600000, count(*) FROM `email` WHERE CASE WHEN `opened_at` IS NOT NULL THEN `sent_at` END IS NOT NULL GROUP BY 1, 3;
INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
	SELECT `project_id`, 'sent.clicked', CASE WHEN `clicked_at` IS NOT NULL THEN `sent_at` END / 3600000, count(*) FROM `email` WHERE CASE WHEN `clicked_at` IS NOT NULL THEN `sent_at` END IS NOT NULL GROUP BY 1, 3;
INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
	SELECT `project_id`, 'opened.machine', CASE WHEN `scanner_opens` >= `opens` THEN `opened_at` END / 3600000, count(*) FROM `email` WHERE CASE WHEN `scanner_opens` >= `opens` THEN `opened_at` END IS NOT NULL GROUP BY 1, 3;
INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
	SELECT `project_id`, CASE WHEN `name` IN ('contact.subscribed', 'contact.unsubscribed') THEN `name` WHEN substr(`name`, 1, 6) = 'email.' THEN 'event.email' ELSE 'event.triggered' END, `created_at` / 3600000, count(*)
		FROM `event` GROUP BY 1, 2, 3;
INSERT INTO `event_day` (`project_id`, `day`, `name`, `count`)
	SELECT `project_id`, `created_at` / 86400000, `name`, count(*) FROM `event` WHERE substr(`name`, 1, 6) <> 'email.' GROUP BY 1, 2, 3;
INSERT INTO `domain_day` (`project_id`, `day`, `domain`, `sent`, `delivered`, `opened`, `clicked`, `bounced`, `complained`)
	SELECT `project_id`, `sent_at` / 86400000, substr(`to_address`, instr(`to_address`, '@') + 1), count(*),
		count(`delivered_at`), count(`opened_at`), count(`clicked_at`), count(`bounced_at`), count(`complained_at`)
		FROM `email` WHERE `sent_at` IS NOT NULL GROUP BY 1, 2, 3;

-- Counts of each hour and day follow every change of a mail or event, whoever makes it. Deletions only update, because
-- the counts of a project may be deleted before its mails.
CREATE TRIGGER `activity_mail_added` AFTER INSERT ON `email` WHEN new.`sent_at` IS NOT NULL OR new.`delivered_at` IS NOT NULL
	OR new.`opened_at` IS NOT NULL OR new.`clicked_at` IS NOT NULL OR new.`bounced_at` IS NOT NULL
	OR new.`complained_at` IS NOT NULL OR new.`source_type` = 'INBOUND'
BEGIN
	INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
		SELECT new.`project_id`, `kind`, `at` / 3600000, 1 FROM (
			SELECT 'email.sent' AS `kind`, new.`sent_at` AS `at`
			UNION ALL SELECT 'email.delivered', new.`delivered_at`
			UNION ALL SELECT 'email.opened', new.`opened_at`
			UNION ALL SELECT 'email.clicked', new.`clicked_at`
			UNION ALL SELECT 'email.bounced', new.`bounced_at`
			UNION ALL SELECT 'email.complaint', new.`complained_at`
			UNION ALL SELECT 'email.received', CASE WHEN new.`source_type` = 'INBOUND' THEN new.`created_at` END
			UNION ALL SELECT 'sent.opened', CASE WHEN new.`opened_at` IS NOT NULL THEN new.`sent_at` END
			UNION ALL SELECT 'sent.clicked', CASE WHEN new.`clicked_at` IS NOT NULL THEN new.`sent_at` END
			UNION ALL SELECT 'opened.machine', CASE WHEN new.`scanner_opens` >= new.`opens` THEN new.`opened_at` END
		) WHERE `at` IS NOT NULL
		ON CONFLICT (`project_id`, `kind`, `hour`) DO UPDATE SET `count` = `count` + 1;
END;

CREATE TRIGGER `activity_mail_changed`
AFTER UPDATE OF `sent_at`, `delivered_at`, `opened_at`, `clicked_at`, `bounced_at`, `complained_at`, `opens`, `scanner_opens` ON `email`
WHEN new.`sent_at` IS NOT old.`sent_at`
OR new.`delivered_at` IS NOT old.`delivered_at`
OR new.`opened_at` IS NOT old.`opened_at`
OR new.`clicked_at` IS NOT old.`clicked_at`
OR new.`bounced_at` IS NOT old.`bounced_at`
OR new.`complained_at` IS NOT old.`complained_at`
OR new.`opened_at` IS NOT NULL AND (new.`scanner_opens` >= new.`opens`) <> (old.`scanner_opens` >= old.`opens`)
BEGIN
	INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
		SELECT new.`project_id`, `kind`, `at` / 3600000, `by` FROM (
			WITH `change` AS (
			SELECT 'email.sent' AS `kind`, old.`sent_at` AS `was`, new.`sent_at` AS `at`
			UNION ALL SELECT 'email.delivered', old.`delivered_at`, new.`delivered_at`
			UNION ALL SELECT 'email.opened', old.`opened_at`, new.`opened_at`
			UNION ALL SELECT 'email.clicked', old.`clicked_at`, new.`clicked_at`
			UNION ALL SELECT 'email.bounced', old.`bounced_at`, new.`bounced_at`
			UNION ALL SELECT 'email.complaint', old.`complained_at`, new.`complained_at`
			UNION ALL SELECT 'email.received', CASE WHEN old.`source_type` = 'INBOUND' THEN old.`created_at` END, CASE WHEN new.`source_type` = 'INBOUND' THEN new.`created_at` END
			UNION ALL SELECT 'sent.opened', CASE WHEN old.`opened_at` IS NOT NULL THEN old.`sent_at` END, CASE WHEN new.`opened_at` IS NOT NULL THEN new.`sent_at` END
			UNION ALL SELECT 'sent.clicked', CASE WHEN old.`clicked_at` IS NOT NULL THEN old.`sent_at` END, CASE WHEN new.`clicked_at` IS NOT NULL THEN new.`sent_at` END
			UNION ALL SELECT 'opened.machine', CASE WHEN old.`scanner_opens` >= old.`opens` THEN old.`opened_at` END, CASE WHEN new.`scanner_opens` >= new.`opens` THEN new.`opened_at` END
			)
			SELECT `kind`, `at`, 1 AS `by` FROM `change` WHERE `at` IS NOT `was` AND `at` IS NOT NULL
			UNION ALL
			SELECT `kind`, `was`, -1 FROM `change` WHERE `at` IS NOT `was` AND `was` IS NOT NULL
		) WHERE true
		ON CONFLICT (`project_id`, `kind`, `hour`) DO UPDATE SET `count` = `count` + excluded.`count`;
END;

CREATE TRIGGER `activity_mail_removed` AFTER DELETE ON `email` WHEN old.`sent_at` IS NOT NULL OR old.`delivered_at` IS NOT NULL
	OR old.`opened_at` IS NOT NULL OR old.`clicked_at` IS NOT NULL OR old.`bounced_at` IS NOT NULL
	OR old.`complained_at` IS NOT NULL OR old.`source_type` = 'INBOUND'
BEGIN
	UPDATE `activity_tally` SET `count` = `count` - 1
		WHERE `project_id` = old.`project_id` AND (`kind`, `hour`) IN (SELECT `kind`, `at` / 3600000 FROM (
			SELECT 'email.sent' AS `kind`, old.`sent_at` AS `at`
			UNION ALL SELECT 'email.delivered', old.`delivered_at`
			UNION ALL SELECT 'email.opened', old.`opened_at`
			UNION ALL SELECT 'email.clicked', old.`clicked_at`
			UNION ALL SELECT 'email.bounced', old.`bounced_at`
			UNION ALL SELECT 'email.complaint', old.`complained_at`
			UNION ALL SELECT 'email.received', CASE WHEN old.`source_type` = 'INBOUND' THEN old.`created_at` END
			UNION ALL SELECT 'sent.opened', CASE WHEN old.`opened_at` IS NOT NULL THEN old.`sent_at` END
			UNION ALL SELECT 'sent.clicked', CASE WHEN old.`clicked_at` IS NOT NULL THEN old.`sent_at` END
			UNION ALL SELECT 'opened.machine', CASE WHEN old.`scanner_opens` >= old.`opens` THEN old.`opened_at` END
		) WHERE `at` IS NOT NULL);
END;

CREATE TRIGGER `domain_mail_added` AFTER INSERT ON `email` WHEN new.`sent_at` IS NOT NULL
BEGIN
	INSERT INTO `domain_day` (`project_id`, `day`, `domain`, `sent`, `delivered`, `opened`, `clicked`, `bounced`, `complained`)
		VALUES (new.`project_id`, new.`sent_at` / 86400000, substr(new.`to_address`, instr(new.`to_address`, '@') + 1), 1,
			new.`delivered_at` IS NOT NULL, new.`opened_at` IS NOT NULL, new.`clicked_at` IS NOT NULL, new.`bounced_at` IS NOT NULL, new.`complained_at` IS NOT NULL)
		ON CONFLICT (`project_id`, `day`, `domain`) DO UPDATE SET `sent` = `sent` + 1,
			`delivered` = `delivered` + excluded.`delivered`, `opened` = `opened` + excluded.`opened`, `clicked` = `clicked` + excluded.`clicked`, `bounced` = `bounced` + excluded.`bounced`, `complained` = `complained` + excluded.`complained`;
END;

CREATE TRIGGER `domain_mail_sent` AFTER UPDATE OF `sent_at` ON `email` WHEN new.`sent_at` IS NOT old.`sent_at`
BEGIN
	UPDATE `domain_day` SET `sent` = `sent` - 1, `delivered` = `delivered` - (old.`delivered_at` IS NOT NULL), `opened` = `opened` - (old.`opened_at` IS NOT NULL), `clicked` = `clicked` - (old.`clicked_at` IS NOT NULL), `bounced` = `bounced` - (old.`bounced_at` IS NOT NULL), `complained` = `complained` - (old.`complained_at` IS NOT NULL)
		WHERE `project_id` = old.`project_id` AND `day` = old.`sent_at` / 86400000 AND `domain` = substr(old.`to_address`, instr(old.`to_address`, '@') + 1);
	INSERT INTO `domain_day` (`project_id`, `day`, `domain`, `sent`, `delivered`, `opened`, `clicked`, `bounced`, `complained`)
		SELECT new.`project_id`, new.`sent_at` / 86400000, substr(new.`to_address`, instr(new.`to_address`, '@') + 1), 1,
			new.`delivered_at` IS NOT NULL, new.`opened_at` IS NOT NULL, new.`clicked_at` IS NOT NULL, new.`bounced_at` IS NOT NULL, new.`complained_at` IS NOT NULL WHERE new.`sent_at` IS NOT NULL
		ON CONFLICT (`project_id`, `day`, `domain`) DO UPDATE SET `sent` = `sent` + 1,
			`delivered` = `delivered` + excluded.`delivered`, `opened` = `opened` + excluded.`opened`, `clicked` = `clicked` + excluded.`clicked`, `bounced` = `bounced` + excluded.`bounced`, `complained` = `complained` + excluded.`complained`;
END;

CREATE TRIGGER `domain_mail_changed`
AFTER UPDATE OF `delivered_at`, `opened_at`, `clicked_at`, `bounced_at`, `complained_at` ON `email`
WHEN new.`sent_at` = old.`sent_at` AND ((new.`delivered_at` IS NULL) <> (old.`delivered_at` IS NULL) OR (new.`opened_at` IS NULL) <> (old.`opened_at` IS NULL) OR (new.`clicked_at` IS NULL) <> (old.`clicked_at` IS NULL) OR (new.`bounced_at` IS NULL) <> (old.`bounced_at` IS NULL) OR (new.`complained_at` IS NULL) <> (old.`complained_at` IS NULL))
BEGIN
	UPDATE `domain_day` SET `delivered` = `delivered` + (new.`delivered_at` IS NOT NULL) - (old.`delivered_at` IS NOT NULL), `opened` = `opened` + (new.`opened_at` IS NOT NULL) - (old.`opened_at` IS NOT NULL), `clicked` = `clicked` + (new.`clicked_at` IS NOT NULL) - (old.`clicked_at` IS NOT NULL), `bounced` = `bounced` + (new.`bounced_at` IS NOT NULL) - (old.`bounced_at` IS NOT NULL), `complained` = `complained` + (new.`complained_at` IS NOT NULL) - (old.`complained_at` IS NOT NULL)
		WHERE `project_id` = new.`project_id` AND `day` = new.`sent_at` / 86400000 AND `domain` = substr(new.`to_address`, instr(new.`to_address`, '@') + 1);
END;

CREATE TRIGGER `domain_mail_removed` AFTER DELETE ON `email` WHEN old.`sent_at` IS NOT NULL
BEGIN
	UPDATE `domain_day` SET `sent` = `sent` - 1, `delivered` = `delivered` - (old.`delivered_at` IS NOT NULL), `opened` = `opened` - (old.`opened_at` IS NOT NULL), `clicked` = `clicked` - (old.`clicked_at` IS NOT NULL), `bounced` = `bounced` - (old.`bounced_at` IS NOT NULL), `complained` = `complained` - (old.`complained_at` IS NOT NULL)
		WHERE `project_id` = old.`project_id` AND `day` = old.`sent_at` / 86400000 AND `domain` = substr(old.`to_address`, instr(old.`to_address`, '@') + 1);
END;

CREATE TRIGGER `activity_event_added` AFTER INSERT ON `event`
BEGIN
	INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`) VALUES (new.`project_id`,
		CASE WHEN new.`name` IN ('contact.subscribed', 'contact.unsubscribed') THEN new.`name` WHEN substr(new.`name`, 1, 6) = 'email.' THEN 'event.email' ELSE 'event.triggered' END,
		new.`created_at` / 3600000, 1)
		ON CONFLICT (`project_id`, `kind`, `hour`) DO UPDATE SET `count` = `count` + 1;
	INSERT INTO `event_day` (`project_id`, `day`, `name`, `count`)
		SELECT new.`project_id`, new.`created_at` / 86400000, new.`name`, 1 WHERE substr(new.`name`, 1, 6) <> 'email.'
		ON CONFLICT (`project_id`, `day`, `name`) DO UPDATE SET `count` = `count` + 1;
END;

CREATE TRIGGER `activity_event_removed` AFTER DELETE ON `event`
BEGIN
	UPDATE `activity_tally` SET `count` = `count` - 1
		WHERE `project_id` = old.`project_id` AND `hour` = old.`created_at` / 3600000
		AND `kind` = CASE WHEN old.`name` IN ('contact.subscribed', 'contact.unsubscribed') THEN old.`name` WHEN substr(old.`name`, 1, 6) = 'email.' THEN 'event.email' ELSE 'event.triggered' END;
	UPDATE `event_day` SET `count` = `count` - 1
		WHERE `project_id` = old.`project_id` AND `day` = old.`created_at` / 86400000 AND `name` = old.`name`;
END;

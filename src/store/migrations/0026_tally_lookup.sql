-- A row value that is looked up in a compound select is not found by the primary key, so these two read every count of
-- the project; single comparisons are.
DROP TRIGGER `activity_execution_changed`;
DROP TRIGGER `activity_execution_removed`;

CREATE TRIGGER `activity_execution_changed` AFTER UPDATE OF `started_at`, `completed_at` ON `workflow_execution`
WHEN new.`started_at` <> old.`started_at` OR new.`completed_at` IS NOT old.`completed_at`
BEGIN
	UPDATE `activity_tally` SET `count` = `count` - 1
		WHERE `project_id` = old.`project_id` AND `kind` = 'workflow.started' AND `hour` = old.`started_at` / 3600000;
	UPDATE `activity_tally` SET `count` = `count` - 1
		WHERE `project_id` = old.`project_id` AND `kind` = 'workflow.completed' AND `hour` = old.`completed_at` / 3600000;
	INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
		VALUES (new.`project_id`, 'workflow.started', new.`started_at` / 3600000, 1)
		ON CONFLICT (`project_id`, `kind`, `hour`) DO UPDATE SET `count` = `count` + 1;
	INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
		SELECT new.`project_id`, 'workflow.completed', new.`completed_at` / 3600000, 1 WHERE new.`completed_at` IS NOT NULL
		ON CONFLICT (`project_id`, `kind`, `hour`) DO UPDATE SET `count` = `count` + 1;
END;

CREATE TRIGGER `activity_execution_removed` AFTER DELETE ON `workflow_execution`
BEGIN
	UPDATE `activity_tally` SET `count` = `count` - 1
		WHERE `project_id` = old.`project_id` AND `kind` = 'workflow.started' AND `hour` = old.`started_at` / 3600000;
	UPDATE `activity_tally` SET `count` = `count` - 1
		WHERE `project_id` = old.`project_id` AND `kind` = 'workflow.completed' AND `hour` = old.`completed_at` / 3600000;
END;

-- One trigger for each count of mail, which looks only at the columns that it follows: marking a mail as sent took twice
-- as long with all of them in one.
DROP TRIGGER `activity_mail_changed`;

CREATE TRIGGER `activity_mail_sent` AFTER UPDATE OF `sent_at` ON `email`
WHEN new.`sent_at` IS NOT old.`sent_at`
BEGIN
	UPDATE `activity_tally` SET `count` = `count` - 1
		WHERE `project_id` = old.`project_id` AND `kind` = 'email.sent' AND `hour` = old.`sent_at` / 3600000;
	INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
		SELECT new.`project_id`, 'email.sent', new.`sent_at` / 3600000, 1 WHERE new.`sent_at` IS NOT NULL
		ON CONFLICT (`project_id`, `kind`, `hour`) DO UPDATE SET `count` = `count` + 1;
END;

CREATE TRIGGER `activity_mail_delivered` AFTER UPDATE OF `delivered_at` ON `email`
WHEN new.`delivered_at` IS NOT old.`delivered_at`
BEGIN
	UPDATE `activity_tally` SET `count` = `count` - 1
		WHERE `project_id` = old.`project_id` AND `kind` = 'email.delivered' AND `hour` = old.`delivered_at` / 3600000;
	INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
		SELECT new.`project_id`, 'email.delivered', new.`delivered_at` / 3600000, 1 WHERE new.`delivered_at` IS NOT NULL
		ON CONFLICT (`project_id`, `kind`, `hour`) DO UPDATE SET `count` = `count` + 1;
END;

CREATE TRIGGER `activity_mail_opened` AFTER UPDATE OF `opened_at` ON `email`
WHEN new.`opened_at` IS NOT old.`opened_at`
BEGIN
	UPDATE `activity_tally` SET `count` = `count` - 1
		WHERE `project_id` = old.`project_id` AND `kind` = 'email.opened' AND `hour` = old.`opened_at` / 3600000;
	INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
		SELECT new.`project_id`, 'email.opened', new.`opened_at` / 3600000, 1 WHERE new.`opened_at` IS NOT NULL
		ON CONFLICT (`project_id`, `kind`, `hour`) DO UPDATE SET `count` = `count` + 1;
END;

CREATE TRIGGER `activity_mail_clicked` AFTER UPDATE OF `clicked_at` ON `email`
WHEN new.`clicked_at` IS NOT old.`clicked_at`
BEGIN
	UPDATE `activity_tally` SET `count` = `count` - 1
		WHERE `project_id` = old.`project_id` AND `kind` = 'email.clicked' AND `hour` = old.`clicked_at` / 3600000;
	INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
		SELECT new.`project_id`, 'email.clicked', new.`clicked_at` / 3600000, 1 WHERE new.`clicked_at` IS NOT NULL
		ON CONFLICT (`project_id`, `kind`, `hour`) DO UPDATE SET `count` = `count` + 1;
END;

CREATE TRIGGER `activity_mail_bounced` AFTER UPDATE OF `bounced_at` ON `email`
WHEN new.`bounced_at` IS NOT old.`bounced_at`
BEGIN
	UPDATE `activity_tally` SET `count` = `count` - 1
		WHERE `project_id` = old.`project_id` AND `kind` = 'email.bounced' AND `hour` = old.`bounced_at` / 3600000;
	INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
		SELECT new.`project_id`, 'email.bounced', new.`bounced_at` / 3600000, 1 WHERE new.`bounced_at` IS NOT NULL
		ON CONFLICT (`project_id`, `kind`, `hour`) DO UPDATE SET `count` = `count` + 1;
END;

CREATE TRIGGER `activity_mail_complained` AFTER UPDATE OF `complained_at` ON `email`
WHEN new.`complained_at` IS NOT old.`complained_at`
BEGIN
	UPDATE `activity_tally` SET `count` = `count` - 1
		WHERE `project_id` = old.`project_id` AND `kind` = 'email.complaint' AND `hour` = old.`complained_at` / 3600000;
	INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
		SELECT new.`project_id`, 'email.complaint', new.`complained_at` / 3600000, 1 WHERE new.`complained_at` IS NOT NULL
		ON CONFLICT (`project_id`, `kind`, `hour`) DO UPDATE SET `count` = `count` + 1;
END;

CREATE TRIGGER `activity_mail_opened_of_sent` AFTER UPDATE OF `sent_at`, `opened_at` ON `email`
WHEN CASE WHEN new.`opened_at` IS NOT NULL THEN new.`sent_at` END IS NOT CASE WHEN old.`opened_at` IS NOT NULL THEN old.`sent_at` END
BEGIN
	UPDATE `activity_tally` SET `count` = `count` - 1
		WHERE `project_id` = old.`project_id` AND `kind` = 'sent.opened' AND `hour` = CASE WHEN old.`opened_at` IS NOT NULL THEN old.`sent_at` END / 3600000;
	INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
		SELECT new.`project_id`, 'sent.opened', CASE WHEN new.`opened_at` IS NOT NULL THEN new.`sent_at` END / 3600000, 1 WHERE CASE WHEN new.`opened_at` IS NOT NULL THEN new.`sent_at` END IS NOT NULL
		ON CONFLICT (`project_id`, `kind`, `hour`) DO UPDATE SET `count` = `count` + 1;
END;

CREATE TRIGGER `activity_mail_clicked_of_sent` AFTER UPDATE OF `sent_at`, `clicked_at` ON `email`
WHEN CASE WHEN new.`clicked_at` IS NOT NULL THEN new.`sent_at` END IS NOT CASE WHEN old.`clicked_at` IS NOT NULL THEN old.`sent_at` END
BEGIN
	UPDATE `activity_tally` SET `count` = `count` - 1
		WHERE `project_id` = old.`project_id` AND `kind` = 'sent.clicked' AND `hour` = CASE WHEN old.`clicked_at` IS NOT NULL THEN old.`sent_at` END / 3600000;
	INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
		SELECT new.`project_id`, 'sent.clicked', CASE WHEN new.`clicked_at` IS NOT NULL THEN new.`sent_at` END / 3600000, 1 WHERE CASE WHEN new.`clicked_at` IS NOT NULL THEN new.`sent_at` END IS NOT NULL
		ON CONFLICT (`project_id`, `kind`, `hour`) DO UPDATE SET `count` = `count` + 1;
END;

CREATE TRIGGER `activity_mail_opened_by_machine` AFTER UPDATE OF `opened_at`, `opens`, `scanner_opens` ON `email`
WHEN CASE WHEN new.`scanner_opens` >= new.`opens` THEN new.`opened_at` END IS NOT CASE WHEN old.`scanner_opens` >= old.`opens` THEN old.`opened_at` END
BEGIN
	UPDATE `activity_tally` SET `count` = `count` - 1
		WHERE `project_id` = old.`project_id` AND `kind` = 'opened.machine' AND `hour` = CASE WHEN old.`scanner_opens` >= old.`opens` THEN old.`opened_at` END / 3600000;
	INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
		SELECT new.`project_id`, 'opened.machine', CASE WHEN new.`scanner_opens` >= new.`opens` THEN new.`opened_at` END / 3600000, 1 WHERE CASE WHEN new.`scanner_opens` >= new.`opens` THEN new.`opened_at` END IS NOT NULL
		ON CONFLICT (`project_id`, `kind`, `hour`) DO UPDATE SET `count` = `count` + 1;
END;

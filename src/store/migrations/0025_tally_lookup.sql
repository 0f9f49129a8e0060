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

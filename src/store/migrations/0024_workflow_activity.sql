CREATE INDEX `workflow_execution_started` ON `workflow_execution` (`project_id`,`started_at`);
CREATE INDEX `workflow_execution_completed` ON `workflow_execution` (`project_id`,`completed_at`) WHERE completed_at IS NOT NULL;
CREATE INDEX `workflow_execution_planned` ON `workflow_execution` (`project_id`,`due_at`) WHERE status = 'WAITING' AND due_at IS NOT NULL;

-- What happened before, and every change from now on.
INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
	SELECT `project_id`, 'workflow.started', `started_at` / 3600000, count(*) FROM `workflow_execution` GROUP BY 1, 3;
INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
	SELECT `project_id`, 'workflow.completed', `completed_at` / 3600000, count(*) FROM `workflow_execution` WHERE `completed_at` IS NOT NULL GROUP BY 1, 3;

CREATE TRIGGER `activity_execution_added` AFTER INSERT ON `workflow_execution`
BEGIN
	INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
		SELECT new.`project_id`, `kind`, `at` / 3600000, 1 FROM (
			SELECT 'workflow.started' AS `kind`, new.`started_at` AS `at`
			UNION ALL SELECT 'workflow.completed', new.`completed_at`
		) WHERE `at` IS NOT NULL
		ON CONFLICT (`project_id`, `kind`, `hour`) DO UPDATE SET `count` = `count` + 1;
END;

CREATE TRIGGER `activity_execution_changed` AFTER UPDATE OF `started_at`, `completed_at` ON `workflow_execution`
WHEN new.`started_at` <> old.`started_at` OR new.`completed_at` IS NOT old.`completed_at`
BEGIN
	UPDATE `activity_tally` SET `count` = `count` - 1
		WHERE `project_id` = old.`project_id` AND (`kind`, `hour`) IN (
			SELECT 'workflow.started', old.`started_at` / 3600000
			UNION ALL SELECT 'workflow.completed', old.`completed_at` / 3600000
		);
	INSERT INTO `activity_tally` (`project_id`, `kind`, `hour`, `count`)
		SELECT new.`project_id`, `kind`, `at` / 3600000, 1 FROM (
			SELECT 'workflow.started' AS `kind`, new.`started_at` AS `at`
			UNION ALL SELECT 'workflow.completed', new.`completed_at`
		) WHERE `at` IS NOT NULL
		ON CONFLICT (`project_id`, `kind`, `hour`) DO UPDATE SET `count` = `count` + 1;
END;

CREATE TRIGGER `activity_execution_removed` AFTER DELETE ON `workflow_execution`
BEGIN
	UPDATE `activity_tally` SET `count` = `count` - 1
		WHERE `project_id` = old.`project_id` AND (`kind`, `hour`) IN (
			SELECT 'workflow.started', old.`started_at` / 3600000
			UNION ALL SELECT 'workflow.completed', old.`completed_at` / 3600000
		);
END;

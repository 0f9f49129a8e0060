DROP INDEX `workflow_step_execution_step`;
CREATE INDEX `workflow_step_execution_completed` ON `workflow_step_execution` (`step_id`,`completed_at`);
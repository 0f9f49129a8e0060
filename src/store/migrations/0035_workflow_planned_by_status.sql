DROP INDEX `workflow_execution_planned`;
CREATE INDEX `workflow_execution_planned` ON `workflow_execution` (`project_id`,`status`,`due_at`,`id`) WHERE due_at IS NOT NULL;
ALTER TABLE `job` ADD `planned_at` integer;

-- A job that was to run at once was given the time of its creation.
UPDATE `job` SET `planned_at` = `created_at` WHERE `run_at` = `created_at`;

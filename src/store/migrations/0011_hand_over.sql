ALTER TABLE `email` ADD `hand_over_at` integer;-- Of what an earlier version was handing over nobody knows how far it had come.
UPDATE `email` SET `hand_over_at` = `updated_at` WHERE `status` = 'SENDING';

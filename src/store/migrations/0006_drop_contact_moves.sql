DROP TABLE `contact_move`;

-- The sweep of that table goes with it.
DELETE FROM `recurring` WHERE `name` = 'contacts.sweep-moves';
DELETE FROM `job` WHERE `kind` = 'contacts.sweep-moves' AND `state` IN ('pending', 'running');

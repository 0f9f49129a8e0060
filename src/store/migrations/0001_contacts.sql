-- Built anew so that no contact ever gets the seq of one that was deleted: walks over all contacts and the search index
-- go by it.
CREATE TABLE `__new_contact` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`project_id` text NOT NULL,
	`email` text NOT NULL,
	`subscribed` integer NOT NULL,
	`data` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade
);

INSERT INTO `__new_contact`("seq", "id", "project_id", "email", "subscribed", "data", "created_at", "updated_at")
	SELECT "seq", "id", "project_id", "email", "subscribed", "data", "created_at", "updated_at" FROM `contact`;
DROP TABLE `contact`;
ALTER TABLE `__new_contact` RENAME TO `contact`;
CREATE UNIQUE INDEX `contact_id_unique` ON `contact` (`id`);
CREATE UNIQUE INDEX `contact_email` ON `contact` (`project_id`,`email`);
CREATE INDEX `contact_created` ON `contact` (`project_id`,`subscribed`,`created_at`,`id`,`email`);
CREATE INDEX `contact_unsubscribed` ON `contact` (`project_id`,`email`) WHERE subscribed = 0;

CREATE TABLE `contact_count` (
	`project_id` text PRIMARY KEY NOT NULL,
	`subscribed` integer NOT NULL,
	`unsubscribed` integer NOT NULL,
	`moves` integer DEFAULT 0 NOT NULL,
	`flips` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;

INSERT INTO `contact_count` (`project_id`, `subscribed`, `unsubscribed`)
	SELECT `project_id`, sum(`subscribed`), sum(1 - `subscribed`) FROM `contact` GROUP BY `project_id`;

CREATE TABLE `field_drop` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`path` text NOT NULL,
	`until_seq` integer NOT NULL,
	`position_seq` integer DEFAULT 0 NOT NULL,
	`changed` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE TABLE `__new_field` (
	`project_id` text NOT NULL,
	`key` text NOT NULL,
	`type` text,
	`contact_count` integer NOT NULL,
	PRIMARY KEY(`project_id`, `key`),
	FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON UPDATE no action ON DELETE cascade
);

INSERT INTO `__new_field`("project_id", "key", "type", "contact_count") SELECT "project_id", "key", "type", "contact_count" FROM `field`;
DROP TABLE `field`;
ALTER TABLE `__new_field` RENAME TO `field`;

-- Where addresses are searched: the trigrams of each, under the seq of its contact, without the addresses themselves.
-- A job adds contacts behind the writes, up to the seq of the mark; contacts after the mark are searched one by one.
CREATE VIRTUAL TABLE `contact_search` USING fts5(`email`, content='', contentless_delete=1, detail=none, tokenize='trigram');
CREATE TABLE `contact_search_mark` (
	`id` integer PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL
);

INSERT INTO `contact_search_mark` (`id`, `seq`) VALUES (1, 0);

-- What is kept about contacts follows every change of one, whoever makes it.
CREATE TRIGGER `contact_added` AFTER INSERT ON `contact`
BEGIN
	INSERT INTO `contact_count` (`project_id`, `subscribed`, `unsubscribed`)
		VALUES (new.`project_id`, new.`subscribed`, 1 - new.`subscribed`)
		ON CONFLICT (`project_id`) DO UPDATE SET
			`subscribed` = `subscribed` + excluded.`subscribed`,
			`unsubscribed` = `unsubscribed` + excluded.`unsubscribed`;
END;

CREATE TRIGGER `contact_flipped` AFTER UPDATE OF `subscribed` ON `contact` WHEN new.`subscribed` <> old.`subscribed`
BEGIN
	UPDATE `contact_count` SET
		`subscribed` = `subscribed` + new.`subscribed` - old.`subscribed`,
		`unsubscribed` = `unsubscribed` + old.`subscribed` - new.`subscribed`,
		`flips` = `flips` + 1
		WHERE `project_id` = new.`project_id`;
END;

CREATE TRIGGER `contact_renamed` AFTER UPDATE OF `email` ON `contact` WHEN new.`email` <> old.`email`
BEGIN
	UPDATE `contact_count` SET `moves` = `moves` + 1 WHERE `project_id` = new.`project_id`;
	UPDATE `contact_search` SET `email` = new.`email`
		WHERE rowid = new.`seq` AND new.`seq` <= (SELECT `seq` FROM `contact_search_mark`);
END;

CREATE TRIGGER `contact_removed` AFTER DELETE ON `contact`
BEGIN
	UPDATE `contact_count` SET
		`subscribed` = `subscribed` - old.`subscribed`,
		`unsubscribed` = `unsubscribed` - (1 - old.`subscribed`),
		`moves` = `moves` + 1
		WHERE `project_id` = old.`project_id`;
	UPDATE `field` SET `contact_count` = `contact_count` - 1
		WHERE `project_id` = old.`project_id` AND `key` IN (SELECT `key` FROM json_each(old.`data`));
	DELETE FROM `contact_search`
		WHERE rowid = old.`seq` AND old.`seq` <= (SELECT `seq` FROM `contact_search_mark`);
END;

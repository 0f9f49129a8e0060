CREATE TABLE `campaign_hour` (
	`campaign_id` text NOT NULL,
	`hour` integer NOT NULL,
	`opens` integer DEFAULT 0 NOT NULL,
	`clicks` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`campaign_id`, `hour`),
	FOREIGN KEY (`campaign_id`) REFERENCES `campaign`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE TABLE `campaign_link` (
	`campaign_id` text NOT NULL,
	`url` text NOT NULL,
	`clicks` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`campaign_id`, `url`),
	FOREIGN KEY (`campaign_id`) REFERENCES `campaign`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `campaign_link_clicks` ON `campaign_link` (`campaign_id`,`clicks`);

-- Opens and clicks of before.
INSERT INTO `campaign_hour` (`campaign_id`, `hour`, `opens`, `clicks`)
	SELECT `campaign`.`id`, (`event`.`created_at` - `campaign`.`sent_at`) / 3600000,
		sum(`event`.`name` = 'email.open'), sum(`event`.`name` = 'email.click')
		FROM `event`
		JOIN `email` ON `email`.`id` = `event`.`email_id`
		JOIN `campaign` ON `campaign`.`id` = `email`.`campaign_id`
		WHERE `event`.`name` IN ('email.open', 'email.click')
			AND `event`.`created_at` >= `campaign`.`sent_at` AND `event`.`created_at` < `campaign`.`sent_at` + 172800000
		GROUP BY 1, 2;
INSERT INTO `campaign_link` (`campaign_id`, `url`, `clicks`)
	SELECT `campaign`.`id`, json_extract(`event`.`data`, '$.link'), count(*)
		FROM `event`
		JOIN `email` ON `email`.`id` = `event`.`email_id`
		JOIN `campaign` ON `campaign`.`id` = `email`.`campaign_id`
		WHERE `event`.`name` = 'email.click' AND json_extract(`event`.`data`, '$.link') IS NOT NULL
		GROUP BY 1, 2;

-- What is shown of a campaign costs the same for any number of mails.
CREATE TRIGGER `campaign_mail_engaged` AFTER INSERT ON `event`
WHEN new.`name` IN ('email.open', 'email.click') AND new.`email_id` IS NOT NULL
BEGIN
	INSERT INTO `campaign_hour` (`campaign_id`, `hour`, `opens`, `clicks`)
		SELECT `campaign`.`id`, (new.`created_at` - `campaign`.`sent_at`) / 3600000,
			new.`name` = 'email.open', new.`name` = 'email.click'
			FROM `email` JOIN `campaign` ON `campaign`.`id` = `email`.`campaign_id`
			WHERE `email`.`id` = new.`email_id`
				AND new.`created_at` >= `campaign`.`sent_at` AND new.`created_at` < `campaign`.`sent_at` + 172800000
		ON CONFLICT (`campaign_id`, `hour`)
			DO UPDATE SET `opens` = `opens` + excluded.`opens`, `clicks` = `clicks` + excluded.`clicks`;
	INSERT INTO `campaign_link` (`campaign_id`, `url`, `clicks`)
		SELECT `campaign`.`id`, json_extract(new.`data`, '$.link'), 1
			FROM `email` JOIN `campaign` ON `campaign`.`id` = `email`.`campaign_id`
			WHERE `email`.`id` = new.`email_id` AND json_extract(new.`data`, '$.link') IS NOT NULL
		ON CONFLICT (`campaign_id`, `url`) DO UPDATE SET `clicks` = `clicks` + 1;
END;

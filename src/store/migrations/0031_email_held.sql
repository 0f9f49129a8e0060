DROP INDEX `email_sending`;
CREATE INDEX `email_held` ON `email` (`lease_until`) WHERE lease_until IS NOT NULL;
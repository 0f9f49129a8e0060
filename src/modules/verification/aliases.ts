/** Domains of services that forward to a hidden mailbox; users may have their own subdomain. */
export const aliasDomains: readonly string[] = [
  // DuckDuckGo, Mozilla, Apple
  "duck.com",
  "mozmail.com",
  "relay.firefox.com",
  "privaterelay.appleid.com",
  // SimpleLogin and Proton Pass
  "simplelogin.com",
  "simplelogin.co",
  "simplelogin.fr",
  "aleeas.com",
  "slmail.me",
  "slmails.com",
  "silomails.com",
  "8alias.com",
  "8shield.net",
  "dralias.com",
  "passmail.com",
  "passmail.net",
  "passinbox.com",
  "passfwd.com",
  // addy.io
  "anonaddy.com",
  "anonaddy.me",
  "addymail.com",
  "4wrd.cc",
  "mailer.me",
  // Others
  "33mail.com",
  "erine.email",
  "manyme.com",
  "opayq.com",
  "sneakemail.com",
  "snkmail.com",
  "snkml.com",
  "spamgourmet.com",
]

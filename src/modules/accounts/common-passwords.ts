/** The most common passwords, in lower case; some are shorter than 8 characters because digits are often appended. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `password passwort passw0rd p@ssword p@ssw0rd password1 password12 password123 mypassword changeme changeit letmein
  letmein1 welcome welcome1 welcome123 admin admin123 administrator adminadmin root toor master superman batman
  spiderman starwars pokemon dragon monkey shadow sunshine princess football baseball basketball liverpool chelsea
  arsenal barcelona juventus iloveyou iloveyou1 lovely trustno1 whatever freedom michael jessica charlie jordan jennifer
  daniel thomas andrew joshua ashley nicole summer winter spring autumn computer internet samsung google facebook
  microsoft qwerty qwertyui qwertyuiop qwerty123 qwerty12 qwertz qwertzui qwertzuiop azerty azertyuiop asdfghjk asdfgh
  asdfghjkl zxcvbnm zxcvbnm1 1q2w3e4r 1q2w3e4r5t 1qaz2wsx qazwsx qazwsxedc zaq12wsx q1w2e3r4 12345678 123456789
  1234567890 12344321 11223344 12341234 87654321 987654321 9876543210 01234567 0123456789 123123123 147258369 abc12345
  abcd1234 abcdefgh abcdefg1 a1b2c3d4 aa123456 test1234 testtest test secret secret123 default temporary temp1234 guest
  guest123 user1234 username login access hello hello123 helloworld hallo123 mailstead mailstead1 mailserver email`.split(
    /\s+/,
  ),
)

import type { Language } from "../../mail/render/index.ts"

/** The texts of system mail (contract B8.1.3). `{address}` and `{project}` are placeholders. */
export interface NoticeTexts {
  /** Subject, sentence and button of the mail that confirms an address. */
  readonly verify: readonly [subject: string, text: string, button: string]
  readonly reset: readonly [subject: string, text: string, button: string]
  readonly email: readonly [subject: string, text: string, button: string]
  /** Subject and sentence of the notice that a project was disabled for its bounces or complaints. */
  readonly disabled: readonly [subject: string, text: string]
  readonly within24Hours: string
  readonly within1Hour: string
  /** What to do if the mail was not requested. */
  readonly notAsked: string
}

export const noticeTexts: Record<Language, NoticeTexts> = {
  en: {
    verify: ["Confirm your address", "Please confirm that {address} is your address.", "Confirm address"],
    reset: ["Set a new password", "A new password was asked for, for the account {address}.", "Set password"],
    email: [
      "Confirm your new address",
      "Please confirm that your account is to have the address {address}.",
      "Confirm address",
    ],
    disabled: [
      "{project} was disabled",
      "{project} sends no more mail, because too much of it bounced or was reported as spam.",
    ],
    within24Hours: "The link works for 24 hours.",
    within1Hour: "The link works for 1 hour.",
    notAsked: "If you did not ask for this, you can ignore this message.",
  },
  nl: {
    verify: ["Bevestig je adres", "Bevestig dat {address} jouw adres is.", "Adres bevestigen"],
    reset: [
      "Stel een nieuw wachtwoord in",
      "Er is een nieuw wachtwoord aangevraagd voor het account {address}.",
      "Wachtwoord instellen",
    ],
    email: [
      "Bevestig je nieuwe adres",
      "Bevestig dat je account het adres {address} moet krijgen.",
      "Adres bevestigen",
    ],
    disabled: [
      "{project} is uitgeschakeld",
      "{project} verstuurt geen e-mail meer, omdat te veel berichten zijn teruggekomen of als spam zijn gemeld.",
    ],
    within24Hours: "De link werkt 24 uur.",
    within1Hour: "De link werkt 1 uur.",
    notAsked: "Heb je hier niet om gevraagd, dan kun je dit bericht negeren.",
  },
  fr: {
    verify: ["Confirmez votre adresse", "Veuillez confirmer que {address} est votre adresse.", "Confirmer l’adresse"],
    reset: [
      "Choisissez un nouveau mot de passe",
      "Un nouveau mot de passe a été demandé pour le compte {address}.",
      "Choisir un mot de passe",
    ],
    email: [
      "Confirmez votre nouvelle adresse",
      "Veuillez confirmer que votre compte doit avoir l’adresse {address}.",
      "Confirmer l’adresse",
    ],
    disabled: [
      "{project} a été désactivé",
      "{project} n’envoie plus d’e-mails, car trop de messages ont été refusés ou signalés comme indésirables.",
    ],
    within24Hours: "Le lien est valable 24 heures.",
    within1Hour: "Le lien est valable 1 heure.",
    notAsked: "Si vous n’avez rien demandé, vous pouvez ignorer ce message.",
  },
  hi: {
    verify: ["अपने पते की पुष्टि करें", "कृपया पुष्टि करें कि {address} आपका पता है।", "पते की पुष्टि करें"],
    reset: ["नया पासवर्ड सेट करें", "खाते {address} के लिए नया पासवर्ड माँगा गया है।", "पासवर्ड सेट करें"],
    email: ["अपने नए पते की पुष्टि करें", "कृपया पुष्टि करें कि आपके खाते का पता {address} होना चाहिए।", "पते की पुष्टि करें"],
    disabled: ["{project} बंद कर दिया गया है", "{project} अब ईमेल नहीं भेजता, क्योंकि बहुत से ईमेल लौट आए या स्पैम बताए गए।"],
    within24Hours: "यह लिंक 24 घंटे तक काम करेगा।",
    within1Hour: "यह लिंक 1 घंटे तक काम करेगा।",
    notAsked: "यदि आपने यह नहीं माँगा है, तो इस संदेश को अनदेखा कर सकते हैं।",
  },
  de: {
    verify: [
      "Bestätigen Sie Ihre Adresse",
      "Bitte bestätigen Sie, dass {address} Ihre Adresse ist.",
      "Adresse bestätigen",
    ],
    reset: [
      "Neues Passwort festlegen",
      "Für das Konto {address} wurde ein neues Passwort angefordert.",
      "Passwort festlegen",
    ],
    email: [
      "Bestätigen Sie Ihre neue Adresse",
      "Bitte bestätigen Sie, dass Ihr Konto die Adresse {address} erhalten soll.",
      "Adresse bestätigen",
    ],
    disabled: [
      "{project} wurde deaktiviert",
      "{project} versendet keine E-Mails mehr, weil zu viele zurückkamen oder als Spam gemeldet wurden.",
    ],
    within24Hours: "Der Link gilt 24 Stunden.",
    within1Hour: "Der Link gilt 1 Stunde.",
    notAsked: "Wenn Sie das nicht angefordert haben, können Sie diese Nachricht ignorieren.",
  },
  pt: {
    verify: ["Confirme o seu endereço", "Confirme que {address} é o seu endereço.", "Confirmar endereço"],
    reset: ["Defina uma nova senha", "Foi pedida uma nova senha para a conta {address}.", "Definir senha"],
    email: [
      "Confirme o seu novo endereço",
      "Confirme que a sua conta deve ter o endereço {address}.",
      "Confirmar endereço",
    ],
    disabled: [
      "{project} foi desativado",
      "{project} já não envia e-mails, porque muitos foram devolvidos ou denunciados como spam.",
    ],
    within24Hours: "O link funciona durante 24 horas.",
    within1Hour: "O link funciona durante 1 hora.",
    notAsked: "Se não fez este pedido, pode ignorar esta mensagem.",
  },
  bg: {
    verify: ["Потвърдете адреса си", "Моля, потвърдете, че {address} е вашият адрес.", "Потвърждаване на адреса"],
    reset: ["Задайте нова парола", "Поискана е нова парола за акаунта {address}.", "Задаване на парола"],
    email: [
      "Потвърдете новия си адрес",
      "Моля, потвърдете, че акаунтът ви трябва да получи адреса {address}.",
      "Потвърждаване на адреса",
    ],
    disabled: [
      "{project} е деактивиран",
      "{project} вече не изпраща имейли, защото твърде много от тях бяха върнати или отбелязани като спам.",
    ],
    within24Hours: "Връзката е валидна 24 часа.",
    within1Hour: "Връзката е валидна 1 час.",
    notAsked: "Ако не сте поискали това, можете да пренебрегнете съобщението.",
  },
  cs: {
    verify: ["Potvrďte svou adresu", "Potvrďte prosím, že {address} je vaše adresa.", "Potvrdit adresu"],
    reset: ["Nastavte nové heslo", "Pro účet {address} bylo vyžádáno nové heslo.", "Nastavit heslo"],
    email: ["Potvrďte svou novou adresu", "Potvrďte prosím, že váš účet má mít adresu {address}.", "Potvrdit adresu"],
    disabled: [
      "Projekt {project} byl vypnut",
      "Projekt {project} už neodesílá e-maily, protože se jich příliš mnoho vrátilo nebo bylo nahlášeno jako spam.",
    ],
    within24Hours: "Odkaz platí 24 hodin.",
    within1Hour: "Odkaz platí 1 hodinu.",
    notAsked: "Pokud jste o to nežádali, můžete tuto zprávu ignorovat.",
  },
  cy: {
    verify: ["Cadarnhewch eich cyfeiriad", "Cadarnhewch mai {address} yw eich cyfeiriad.", "Cadarnhau’r cyfeiriad"],
    reset: [
      "Gosodwch gyfrinair newydd",
      "Gofynnwyd am gyfrinair newydd ar gyfer y cyfrif {address}.",
      "Gosod cyfrinair",
    ],
    email: [
      "Cadarnhewch eich cyfeiriad newydd",
      "Cadarnhewch mai {address} fydd cyfeiriad eich cyfrif.",
      "Cadarnhau’r cyfeiriad",
    ],
    disabled: [
      "Analluogwyd {project}",
      "Nid yw {project} yn anfon e-byst mwyach, am fod gormod ohonynt wedi’u dychwelyd neu wedi’u nodi’n sbam.",
    ],
    within24Hours: "Mae’r ddolen yn gweithio am 24 awr.",
    within1Hour: "Mae’r ddolen yn gweithio am 1 awr.",
    notAsked: "Os na wnaethoch ofyn am hyn, gallwch anwybyddu’r neges hon.",
  },
  pl: {
    verify: ["Potwierdź swój adres", "Potwierdź, że {address} to Twój adres.", "Potwierdź adres"],
    reset: ["Ustaw nowe hasło", "Poproszono o nowe hasło do konta {address}.", "Ustaw hasło"],
    email: ["Potwierdź nowy adres", "Potwierdź, że Twoje konto ma mieć adres {address}.", "Potwierdź adres"],
    disabled: [
      "Projekt {project} został wyłączony",
      "Projekt {project} nie wysyła już wiadomości, ponieważ zbyt wiele z nich wróciło lub zostało zgłoszonych jako spam.",
    ],
    within24Hours: "Link działa przez 24 godziny.",
    within1Hour: "Link działa przez 1 godzinę.",
    notAsked: "Jeśli to nie Twoja prośba, zignoruj tę wiadomość.",
  },
  es: {
    verify: ["Confirma tu dirección", "Confirma que {address} es tu dirección.", "Confirmar dirección"],
    reset: [
      "Elige una contraseña nueva",
      "Se ha pedido una contraseña nueva para la cuenta {address}.",
      "Elegir contraseña",
    ],
    email: [
      "Confirma tu nueva dirección",
      "Confirma que tu cuenta debe tener la dirección {address}.",
      "Confirmar dirección",
    ],
    disabled: [
      "{project} se ha desactivado",
      "{project} ya no envía correo, porque demasiados mensajes fueron devueltos o marcados como spam.",
    ],
    within24Hours: "El enlace funciona durante 24 horas.",
    within1Hour: "El enlace funciona durante 1 hora.",
    notAsked: "Si no lo has pedido, puedes ignorar este mensaje.",
  },
  it: {
    verify: ["Conferma il tuo indirizzo", "Conferma che {address} è il tuo indirizzo.", "Conferma indirizzo"],
    reset: [
      "Imposta una nuova password",
      "È stata chiesta una nuova password per l’account {address}.",
      "Imposta password",
    ],
    email: [
      "Conferma il tuo nuovo indirizzo",
      "Conferma che il tuo account deve avere l’indirizzo {address}.",
      "Conferma indirizzo",
    ],
    disabled: [
      "{project} è stato disattivato",
      "{project} non invia più email, perché troppi messaggi sono tornati indietro o sono stati segnalati come spam.",
    ],
    within24Hours: "Il link funziona per 24 ore.",
    within1Hour: "Il link funziona per 1 ora.",
    notAsked: "Se non l’hai chiesto tu, puoi ignorare questo messaggio.",
  },
  "zh-TW": {
    verify: ["確認您的電子郵件地址", "請確認 {address} 是您的電子郵件地址。", "確認地址"],
    reset: ["設定新密碼", "有人為帳號 {address} 申請了新密碼。", "設定密碼"],
    email: ["確認您的新電子郵件地址", "請確認您的帳號要使用 {address}。", "確認地址"],
    disabled: ["{project} 已停用", "{project} 已停止寄送郵件，因為太多郵件被退回或被檢舉為垃圾郵件。"],
    within24Hours: "連結 24 小時內有效。",
    within1Hour: "連結 1 小時內有效。",
    notAsked: "如果您沒有提出這項要求，請忽略這封郵件。",
  },
  "zh-HK": {
    verify: ["確認你的電郵地址", "請確認 {address} 是你的電郵地址。", "確認地址"],
    reset: ["設定新密碼", "有人為帳戶 {address} 申請了新密碼。", "設定密碼"],
    email: ["確認你的新電郵地址", "請確認你的帳戶要使用 {address}。", "確認地址"],
    disabled: ["{project} 已停用", "{project} 已停止發送電郵，因為太多電郵被退回或被舉報為垃圾郵件。"],
    within24Hours: "連結 24 小時內有效。",
    within1Hour: "連結 1 小時內有效。",
    notAsked: "如果你沒有提出這項要求，請不用理會這封電郵。",
  },
  "zh-CN": {
    verify: ["确认您的邮箱地址", "请确认 {address} 是您的邮箱地址。", "确认地址"],
    reset: ["设置新密码", "有人为账号 {address} 申请了新密码。", "设置密码"],
    email: ["确认您的新邮箱地址", "请确认您的账号要使用 {address}。", "确认地址"],
    disabled: ["{project} 已停用", "{project} 已停止发送邮件，因为太多邮件被退回或被举报为垃圾邮件。"],
    within24Hours: "链接 24 小时内有效。",
    within1Hour: "链接 1 小时内有效。",
    notAsked: "如果您没有提出此请求，请忽略这封邮件。",
  },
  ja: {
    verify: [
      "メールアドレスの確認",
      "{address} があなたのメールアドレスであることを確認してください。",
      "アドレスを確認する",
    ],
    reset: [
      "新しいパスワードの設定",
      "アカウント {address} の新しいパスワードが要求されました。",
      "パスワードを設定する",
    ],
    email: [
      "新しいメールアドレスの確認",
      "アカウントのアドレスを {address} にすることを確認してください。",
      "アドレスを確認する",
    ],
    disabled: [
      "{project} は無効になりました",
      "{project} からのメール送信は停止されました。返送や迷惑メールの報告が多すぎたためです。",
    ],
    within24Hours: "リンクは 24 時間有効です。",
    within1Hour: "リンクは 1 時間有効です。",
    notAsked: "お心当たりがない場合は、このメールを無視してください。",
  },
  sv: {
    verify: ["Bekräfta din adress", "Bekräfta att {address} är din adress.", "Bekräfta adressen"],
    reset: ["Välj ett nytt lösenord", "Ett nytt lösenord har begärts för kontot {address}.", "Välj lösenord"],
    email: ["Bekräfta din nya adress", "Bekräfta att ditt konto ska ha adressen {address}.", "Bekräfta adressen"],
    disabled: [
      "{project} har stängts av",
      "{project} skickar ingen mer e-post, eftersom för mycket studsade eller anmäldes som skräppost.",
    ],
    within24Hours: "Länken fungerar i 24 timmar.",
    within1Hour: "Länken fungerar i 1 timme.",
    notAsked: "Om du inte har bett om detta kan du bortse från meddelandet.",
  },
}

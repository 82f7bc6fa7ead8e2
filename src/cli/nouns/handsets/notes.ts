/** Behaviour of the phone numbers, for the help of phones and carriers; test/cli/help.test.ts compares it with the default world. */
export const CARRIERS_OF_PHONES = `All numbers are phones with RCS; the magic ones ("sandbox world show") have a fixed outcome. In the default world +491713920050 is on alpentel, …51 on nordfunk, …53 on rheinmobil; "sandbox handsets list --contacts" shows all.`

/** Behaviour of the phone numbers, for the help of phones and carriers; test/cli/help.test.ts compares it with the default world. */
export const CARRIERS_OF_PHONES = `In the default world all numbers are ordinary phones with RCS; the magic ones (+491713920000 to …43, "sandbox send --help" lists them)
have a fixed outcome. +491713920050 is on alpentel, …51 on nordfunk, …53 on rheinmobil; "sandbox handsets show <phone>" shows the carrier.`

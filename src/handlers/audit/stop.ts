/** A word by itself with which people end it, however they write it (interface §2.3, ACKNOWLEDGEMENT). */
export const isStop = (text: string) => /^(stop|unsubscribe|end|quit|cancel)$/i.test(text.trim())

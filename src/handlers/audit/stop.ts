/** A message that is only a word for "stop" in any spelling (interface §2.3, ACKNOWLEDGEMENT). */
export const isStop = (text: string) => /^(stop|unsubscribe|end|quit|cancel)$/i.test(text.trim())

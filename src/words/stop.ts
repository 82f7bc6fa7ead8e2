const WORDS = ['stop', 'unsubscribe', 'end', 'quit', 'cancel']

/** A message that is only a word for "stop" in any spelling (interface §2.3, ACKNOWLEDGEMENT). */
export const isStop = (text: string) => WORDS.includes(text.trim().toLowerCase())

export const STOP_EFFECT = 'STOP changes no consent record; your application does'

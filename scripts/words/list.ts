/** Words and phrases that a reader has to read twice, each with what to write in its place. */
interface Entry {
  readonly pattern: RegExp
  readonly instead: string
}

/** A blank in a pattern is also a line break. */
const entry = ([source, instead]: readonly [source: string, instead: string]): Entry => ({
  pattern: new RegExp(`\\b(?:${source.replaceAll(' ', '\\s+')})`, 'gi'),
  instead,
})

/** In help, errors, documents, comments and test titles. */
// biome-ignore format: a table is read by column
export const phrases: readonly Entry[] = ([
  ['anew\\b',                                            'again; reset; recreate'],
  ['who(so)?m?ever\\b',                                  'name the actor'],
  ['mend(s|ed|ing)?\\b',                                 'fix'],
  ['becom(e|es|ing) of\\b|became of\\b|fate\\b',         'outcome'],
  ['so many\\b',                                         'number of …'],
  ['(that|which) (is|are) (none\\b|not there\\b|there already\\b)', 'unknown; invalid; existing'],
  ['(that|which) there (is|are) not\\b',                 'unknown'],
  ['(is|are|was|were) none\\b',                          'is not a …; is not one of …'],
  ['(is|are) (not there|there already)\\b',              'does not exist; already exists'],
  ['(?<=[a-z]+ (that|it|what came) )(is|was) no (?!longer|more)', 'is not a …'],
  ['as it is(?=[.,;:)"\'`]|$)|as they are(?=[.,;:)"\'`]|$)', 'unchanged'],
  ['(as|where) (it|they|things|the [a-z]+) stands?\\b',  'current status; unchanged'],
  ['(stands|stood)\\b(?! (for|out)\\b)|stand(?= (in|at|on|by|here|there|there)\\b)(?!-)', 'is; is written in; a frozen clock'],
  ['clocks? (that )?stand',                              'frozen clock'],
  ['(tells?|telling|told) (of|about)\\b',                'report; log; describe'],
  ['told\\b|unasked\\b|unsaid\\b',                       'name the actor and use a plain verb'],
  ['said\\b',                                            'state what it holds: input, answer, message'],
  ['(is|are|be) of use\\b',                              'useful'],
  ['of (yours|ours|theirs)\\b',                          'your …; our …'],
  ['none may\\b',                                        'expect none; not allowed'],
  ['(come|comes|came|coming) (again|about)\\b',          'repeat; arise; happen'],
  ['what (came|comes|was (asked|said|given))\\b',        'the request; the answer; the input'],
  ['other than ordinary\\b|make ordinary\\b',            'custom settings; reset to defaults'],
  ['befall(s|en)?\\b|befell\\b',                         'happen to'],
  ['(has|have|having) (a|no) say\\b',                    'decide'],
  ['let something happen\\b|lets something happen\\b',   'trigger an event'],
  ['be it\\b',                                           'whether it is'],
  ['begun\\b',                                           'started'],
  ['storeys?\\b',                                        'layer'],
  ['(the|this|whole) house\\b',                          'the project; the code base'],
  ['in vain\\b',                                         'without success'],
  ['(undefined|empty|false) where\\b(?!\\??:)',              'undefined if'],
  ['(tells|says) whether\\b',                                'returns whether'],
  ['There are: |cannot be meant\\b|who only\\b',                  'name the list; contradictory; an observer'],
  ['goes with (the outcome|scaled)\\b|means something\\b',  'is allowed only with; has an effect'],
  ['gives? (its|the) hold back\\b|(is|and) given back\\b',      'releases the hold'],
  ['under way\\b',                                       'in progress'],
  ['as ever\\b|at the most\\b',                           'as usual; at most'],
  ['as (it|they) came\\b',                               'as received'],
  ['(?<!there )is no (failure|part|message|terminal|browser|option of|JSON)\\b', 'is not a …'],
  ['at hand\\b',                                         'available'],
  ['brings? along\\b|brought along\\b',                  'include; need'],
  ['(for )?want of\\b',                                  'without; missing'],
  ['(where|there|here)(of|upon|with|unto)\\b|wherein\\b|therein\\b|whither\\b|whence\\b|thence\\b|hence\\b|henceforth\\b|lest\\b|nought\\b|naught\\b|upon\\b|amiss\\b|ere\\b|heed(s|ed)?\\b', 'plain modern English'],
] as const).map(entry)

/** Words of a user's text alone: code and its comments use them as terms. */
// biome-ignore format: a table is read by column
export const userPhrases: readonly Entry[] = ([
  ['due (work|rows?)\\b',                                'scheduled work'],
] as const).map(entry)

/** Parts of a name, in any spelling: `wasTold`, `toldOf`, `told`. */
export const nameParts: ReadonlySet<string> = new Set([
  'said',
  'told',
  'asked',
  'anew',
  'woken',
  'voices',
  'patience',
  'struck',
  'whoever',
  'surroundings',
  'mend',
  'mended',
])

/** Whole names. */
export const names: ReadonlySet<string> = new Set([
  'known',
  'given',
  'met',
  'leave',
  'pull',
  'stand',
  'stands',
  'callIn',
  'takePlace',
  'beginIn',
  'outlivesReset',
])

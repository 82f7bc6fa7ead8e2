export const byTime = (a: { at: string }, b: { at: string }): number => (a.at < b.at ? -1 : Number(a.at > b.at))

import { getAsset, getRawAsset } from 'node:sea'

/** Replaces src/world/file/packaged.ts in the binary, which carries the files itself. */
export const packaged = async (name: string): Promise<Buffer | undefined> =>
  isCarried(name) ? Buffer.from(getRawAsset(name) as ArrayBuffer) : undefined

const names = new Set<string>(JSON.parse(getAsset('names', 'utf8')) as string[])

const isCarried = (name: string) => names.has(name)

import { pathToFileURL } from 'node:url'

// A bundler that writes CommonJS leaves no URL here.
const { url } = import.meta as Partial<ImportMeta>

/** Stands for `import.meta.url` in files that users bundle (followable.ts). */
export const hereUrl: string = url ?? pathToFileURL(`${process.cwd()}/`).href

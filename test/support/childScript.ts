import { extname, join } from 'node:path'

const extension = extname(import.meta.filename)

/** A script of this repository, as a source or, where this itself is compiled, compiled. */
export const childScript = (folder: string, name: string): string => join(folder, `${name}${extension}`)

/** What Node needs to be told to run it. */
export const childArguments: readonly string[] = extension === '.ts' ? ['--import', 'tsx'] : []

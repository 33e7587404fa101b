import { realpathSync } from 'node:fs'
import { extname, join } from 'node:path'

const extension = extname(import.meta.filename)
const isSource = extension === '.ts'

/** The clone itself, with its sources and documents, also where this runs compiled, somewhere else. */
export const repository = isSource
  ? join(import.meta.dirname, '../..')
  : realpathSync(join(import.meta.dirname, '../../repository'))

/** A script of this repository, as a source or, where this itself is compiled, compiled. */
export const childScript = (folder: string, name: string): string => join(folder, `${name}${extension}`)

/** A module for the text of a program, named from the module at `base`, without its extension. */
export const childModule = (path: string, base: string): string =>
  JSON.stringify(new URL(`${path}${extension}`, base).href)

/** What Node needs to be told to run it. */
export const childArguments: readonly string[] = isSource ? ['--import', 'tsx'] : []

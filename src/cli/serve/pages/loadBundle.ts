import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BUNDLE_INDEX, type Bundle } from './Bundle.ts'

const folder = join(import.meta.dirname, '../../../explorer')
const isClone = import.meta.filename.endsWith('.ts')

/** From the sources in a clone, as it was built in the package; `undefined` where there is neither. */
export const loadBundle = async (): Promise<Bundle | undefined> => {
  try {
    if (!isClone) return await readBundle()
    const { bundlePages } = await import('./bundlePages.ts')
    return await bundlePages(folder)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

const readBundle = async (): Promise<Bundle> => {
  const index = await readFile(join(folder, BUNDLE_INDEX), 'utf8')
  const { names, entries } = JSON.parse(index) as { names: string[]; entries: Bundle['entries'] }
  const files = names.map(async (name) => [name, new Uint8Array(await readFile(join(folder, name)))] as const)
  return { files: new Map(await Promise.all(files)), entries }
}

const isMissing = (error: unknown): boolean => {
  const { code } = error as { readonly code?: unknown }
  return code === 'ENOENT' || code === 'ERR_MODULE_NOT_FOUND'
}

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BUNDLE_INDEX } from '../src/cli/serve/pages/Bundle.ts'
import { bundlePages } from '../src/cli/serve/pages/bundlePages.ts'

/** The pages of a clone, as the package has them, into a folder. */
export const writePages = async (root: string, folder: string): Promise<void> => {
  const { files, entries } = await bundlePages(join(root, 'src/explorer'))
  mkdirSync(folder, { recursive: true })
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes)
  writeFileSync(join(folder, BUNDLE_INDEX), JSON.stringify({ names: [...files.keys()], entries }))
}

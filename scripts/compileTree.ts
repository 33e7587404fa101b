import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { bundleModules } from './bundleModules.ts'
import { writePages } from './writePages.ts'

/**
 * The sources as the package ships them, and tests and benches with them, compiled, with all around them that they look for by its
 * place. Sources that are run as they stand pay for each function that they make: the loader gives every one its name again. Where
 * many processes start from it, `bundled` has each of them read fewer files.
 */
export const compileTree = async (root: string, folder: string, bundled = false): Promise<string> => {
  const target = join(folder, 'tree')
  mkdirSync(target, { recursive: true })
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.compiled.json', '--outDir', target], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status === null || !existsSync(join(target, 'src'))) throw new Error('The sources could not be compiled.')
  await writePages(root, join(target, 'src/explorer'))
  cpSync(join(root, 'package.json'), join(target, 'package.json'))
  cpSync(join(root, 'bin'), join(target, 'bin'), { recursive: true })
  cpSync(join(root, 'src/store/migrations'), join(target, 'src/store/migrations'), { recursive: true })
  if (bundled) await bundleModules(root, join(target, 'node_modules'))
  else symlinkSync(join(root, 'node_modules'), join(target, 'node_modules'))
  symlinkSync(join(target, 'src'), join(target, 'dist'))
  symlinkSync(root, join(target, 'repository'))
  const shared = join(root, '../shared')
  if (existsSync(shared)) symlinkSync(shared, join(folder, 'shared'))
  return target
}

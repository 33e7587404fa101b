import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleModules } from './bundleModules.ts'
import { writePages } from './writePages.ts'

type CompileClone = { compileProgram(root: string, target: string, explorer: string): Promise<void> }

/**
 * The sources as the package ships them, and tests and benches with them, compiled, with all around them that they look for by its
 * place. Sources that are run as they stand pay for each function that they make: the loader gives every one its name again. Where
 * many processes start from it, `bundled` has each of them read fewer files: the program is then as `npm start` runs it in a clone.
 */
export const compileTree = async (root: string, folder: string, bundled = false): Promise<string> => {
  const target = join(folder, 'tree')
  mkdirSync(target, { recursive: true })
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.compiled.json', '--outDir', target], {
    cwd: root,
    // It ends soon: to collect its garbage as often as usual costs more than the garbage.
    env: { GOGC: '400', ...process.env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status === null || !existsSync(join(target, 'src'))) throw new Error('The sources could not be compiled.')
  await writePages(root, join(target, 'src/explorer'))
  cpSync(join(root, 'package.json'), join(target, 'package.json'))
  cpSync(join(root, 'bin'), join(target, 'bin'), { recursive: true })
  cpSync(join(root, 'src/store/migrations'), join(target, 'src/store/migrations'), { recursive: true })
  if (bundled) {
    await bundleModules(root, join(target, 'node_modules'))
    // Plain JavaScript, which has no types and is not compiled with this.
    const { compileProgram } = (await import(pathToFileURL(join(root, 'scripts/compileClone.js')).href)) as CompileClone
    await compileProgram(root, join(target, 'program'), join(target, 'src/explorer'))
  } else symlinkSync(join(root, 'node_modules'), join(target, 'node_modules'))
  symlinkSync(join(target, bundled ? 'program/src' : 'src'), join(target, 'dist'))
  linkShared(root, folder)
  symlinkSync(root, join(target, 'repository'))
  return target
}

/** What was compiled into a folder before, to its end. The recordings may have come since. */
export const findTree = (root: string, folder: string): string | undefined => {
  const target = join(folder, 'tree')
  if (!existsSync(join(target, 'repository'))) return undefined
  linkShared(root, folder)
  return target
}

const linkShared = (root: string, folder: string): void => {
  const shared = join(root, '../shared')
  if (existsSync(shared) && !existsSync(join(folder, 'shared'))) symlinkSync(shared, join(folder, 'shared'))
}

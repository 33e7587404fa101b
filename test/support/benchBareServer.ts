// The yardstick of the v2 bench: Fastify with routes that do nothing but return bytes, as /<name> for each that is given.
import { readFileSync } from 'node:fs'
import fastify from 'fastify'
import { serveParent } from './benchChild.ts'

const [file = ''] = process.argv.slice(2)
const server = fastify()
for (const [name, text] of Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)) {
  server.get(`/${name}`, (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(text),
  )
}
const url = await server.listen({ host: '127.0.0.1', port: 0 })
serveParent({ url })

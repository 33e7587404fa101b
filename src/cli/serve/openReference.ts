import { openToPages } from '../../api/core/headers.ts'
import type { Mount } from '../../api/core/Mount.ts'
import { describeAsJson } from '../../api/core/openApi.ts'
import type { PlainRequest, PlainRoute } from '../../api/core/PlainRoute.ts'
import type { ReferenceSetup } from '../../reference/ReferenceSetup.ts'
import { readVersion } from '../readVersion.ts'
import type { PageServer } from './pages/PageServer.ts'
import { createStaticFile, type StaticFile } from './pages/StaticFile.ts'

/** The reference of the interfaces that are served, each in its own spelling; the other one is below /ton. */
export const openReference = (mounts: readonly Mount[], pages: PageServer): PlainRoute[] => {
  const described = mounts
    .filter(({ definition }) => !definition.prefix.startsWith('/ton/'))
    .map(({ definition }) => ({ definition, name: definition.prefix.slice(definition.prefix.lastIndexOf('/') + 1) }))
  const setup: ReferenceSetup = {
    version: readVersion(),
    documents: described.map(({ name }) => ({ name, url: `/docs/${name}.json` })).sort(byOrder),
  }
  const documents = described.map(({ definition, name }) => documentRoute(name, () => describeAsJson(definition)))
  return [
    ...pages.routes({ entry: 'reference', title: 'chaincenter: API reference', setup }, ['/docs']),
    ...documents,
    ...mounts.filter(({ definition }) => !definition.localOnly).flatMap(redirectsOf),
  ]
}

/** Redirects from the paths at which the original services have their reference pages and descriptions. */
const redirectsOf = ({ definition: { prefix } }: Mount): PlainRoute[] => {
  const page = `/docs#${prefix.slice(prefix.lastIndexOf('/') + 1)}`
  return [
    redirect(prefix, page),
    redirect(`${prefix}/index.html`, page),
    redirect(`${prefix}/doc.json`, `${prefix}/openapi.json`),
  ]
}

const redirect = (path: PlainRoute['path'], location: string): PlainRoute => ({
  method: 'GET',
  path,
  answer: () => ({ status: 302, headers: { ...openToPages, location, 'cache-control': 'no-cache' }, body: '' }),
})

// As people look for them: the controls come last.
const order = ['v2', 'v3', 'dev']
const byOrder = (a: { readonly name: string }, b: { readonly name: string }): number =>
  order.indexOf(a.name) - order.indexOf(b.name)

/** Made when it is first asked for. */
const documentRoute = (name: string, describe: () => string): PlainRoute => {
  let file: StaticFile | undefined
  return {
    method: 'GET',
    path: `/docs/${name}.json`,
    answer: (request: PlainRequest) => {
      file ??= createStaticFile(`${name}.json`, new TextEncoder().encode(describe()), { keep: 'checked' })
      return file.answer(request)
    },
  }
}

import { v2Endpoint } from '../v2Endpoint.ts'
import { MasterchainInfoView, toMasterchainInfoView } from '../views/MasterchainInfoView.ts'

export const getMasterchainInfo = v2Endpoint({
  name: 'getMasterchainInfo',
  tags: ['blocks'],
  summary: 'The newest masterchain block and the beginning of the chain.',
  params: {},
  result: MasterchainInfoView,
  errors: [],
  lifetime: () => 'head',
  handle: async ({ node }) => toMasterchainInfoView(await node.getMasterchainInfo()),
})

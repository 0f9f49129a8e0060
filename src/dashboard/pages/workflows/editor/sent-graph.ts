import type { SentGraph } from "../../../api/workflows.ts"
import { layoutOf } from "./canvas/layout.ts"
import { type Graph, plain } from "./model/graph.ts"

/** The graph as it is sent, with the positions of the editor. The trigger's config is the server's. */
export function sentGraph(graph: Graph): SentGraph {
  const layout = layoutOf(graph)
  return {
    steps: graph.steps.map(({ id, type, name, config, templateId }) => ({
      id,
      type,
      name: name.trim(),
      position: layout.steps.get(id) ?? { x: 0, y: 0 },
      config,
      templateId,
    })),
    transitions: graph.links.map(({ from, branch, to, id, priority }) => ({
      ...(id === undefined ? {} : { id }),
      ...(priority === undefined ? {} : { priority }),
      fromStepId: from,
      toStepId: to,
      branch: branch === plain ? null : branch,
    })),
  }
}

import { Button } from "@mantine/core"
import { IconPlayerPlay, IconX } from "@tabler/icons-react"
import { useState } from "react"
import { ApiError } from "../../../../api/http.ts"
import { reasonOf } from "../../../../api/refusal.ts"
import { type Simulation, type SimulationRequest, simulateWorkflow } from "../../../../api/workflows.ts"
import { useChange } from "../../../../queries/use-change.ts"
import { Form } from "../../../../ui/form.tsx"
import { Tool } from "../../../../ui/tool.tsx"
import editor from "../editor.module.css"
import type { Graph } from "../model/graph.ts"
import { onEscape } from "../on-escape.ts"
import { sentGraph } from "../sent-graph.ts"
import { blankSubject, type Subject, SubjectFields, subjectIn } from "./subject.tsx"
import { Timeline } from "./timeline.tsx"
import { type Trace, traceOf } from "./trace.ts"

interface SimulationPanelProps {
  workflowId: string
  graph: Graph
  onTrace(trace: Trace | null): void
  /** Moves a step into view. */
  onShow(stepId: string): void
  onClose(): void
}

/** Runs the graph in view, saved or not, for a contact in virtual time, and shows its way step by step. */
export default function SimulationPanel({ workflowId, graph, onTrace, onShow, onClose }: SimulationPanelProps) {
  const [subject, setSubject] = useState<Subject>(blankSubject)
  const [result, setResult] = useState<Simulation | null>(null)
  const [at, setAt] = useState(0)
  const [fault, setFault] = useState("")
  const run = useChange({
    send: (projectId, request: SimulationRequest) =>
      simulateWorkflow(projectId, workflowId, { ...request, graph: sentGraph(graph) }),
    failed(cause) {
      setResult(null)
      onTrace(null)
      setFault(whyNot(cause))
    },
    done(_client, _projectId, simulation) {
      setResult(simulation)
      show(simulation, simulation.steps.length - 1)
    },
  })
  const show = (simulation: Simulation, index: number) => {
    setAt(index)
    onTrace(traceOf(simulation, index))
    const step = simulation.steps[index]
    if (step) onShow(step.stepId)
  }
  const submit = () => {
    const request = subjectIn(subject)
    setFault("fault" in request ? request.fault : "")
    if ("request" in request) void run.run(request.request)
  }
  return (
    <aside className={editor.panel} aria-label="Simulation" onKeyDown={onEscape(onClose)}>
      <header className={editor.panelHead}>
        <div className={editor.panelTexts}>
          <h2 className={editor.panelTitle}>Simulate</h2>
          <p className={editor.panelAbout}>Days pass in a moment; nothing is sent or stored.</p>
        </div>
        <Tool label="Close" shortcut="Escape" icon={IconX} size="md" run={onClose} />
      </header>
      <div className={editor.panelBody}>
        {result ? (
          <Timeline
            simulation={result}
            graph={graph}
            at={at}
            onAt={(index) => show(result, index)}
            onAgain={() => {
              setResult(null)
              onTrace(null)
            }}
          />
        ) : (
          <Form onSubmit={submit}>
            <SubjectFields subject={subject} onSubject={setSubject} fault={fault} />
            <Button type="submit" loading={run.isRunning} leftSection={<IconPlayerPlay size={16} stroke={1.8} />}>
              Run it
            </Button>
          </Form>
        )}
      </div>
    </aside>
  )
}

/** A refusal in one line: what is missing is shown at the steps. */
const whyNot = (cause: unknown): string =>
  cause instanceof ApiError && cause.faults.some(({ field }) => field.startsWith("graph."))
    ? "Something is missing in the steps. Complete them first."
    : reasonOf(cause)

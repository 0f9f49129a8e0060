import { Button, Group, Text } from "@mantine/core"
import { modals } from "../../ui/modals.ts"

/** The answer: save the draft, load the stored item instead, or continue editing. */
export type OverwriteAnswer = "save" | "load" | "keep"

/**
 * Asks what to do with a draft when the stored item is no longer its base. Where that can no longer be changed, `finalState` says
 * what became of it: `was sent`.
 */
export const askOverwrite = (noun: string, finalState: string | null): Promise<OverwriteAnswer> =>
  new Promise((resolve) => {
    const choose = (answer: OverwriteAnswer) => {
      resolve(answer)
      modals.close(id)
    }
    const id = modals.open({
      title: "Changed elsewhere meanwhile",
      size: 440,
      onClose: () => resolve("keep"),
      children: (
        <>
          <Text size="sm" c="dimmed" mb="md">
            {finalState === null
              ? `Since you began, this ${noun} was saved in another place. Overwrite that with what stands here, or load it and lose your changes.`
              : `Since you began, this ${noun} ${finalState} in another place, and cannot be changed any more. What you have changed here can be copied before you load it.`}
          </Text>
          <Group gap="xs" justify="flex-end">
            <Button variant="default" data-autofocus onClick={() => choose("keep")}>
              Keep editing
            </Button>
            <Button variant="default" onClick={() => choose("load")}>
              Load it
            </Button>
            {finalState === null && (
              <Button color="red" onClick={() => choose("save")}>
                Overwrite
              </Button>
            )}
          </Group>
        </>
      ),
    })
  })

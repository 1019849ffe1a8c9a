//! A browser without a window, controlled through its own protocol: commands and answers are JSON ended by a zero byte.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long an answer may take: machines that run tests are slow, and render without a graphics card.
const PATIENCE: Duration = Duration::from_secs(90);

/// One tab of a browser.
pub(crate) struct Browser {
    process: Child,
    commands: ChildStdin,
    messages: Receiver<Value>,
    session: Option<String>,
    sent: u64,
    /// Errors that the browser has reported since the start: exceptions, refused loads, messages to the
    /// console.
    pub(crate) errors: Vec<String>,
    /// Requested addresses, including those of the pages.
    pub(crate) requests: Vec<String>,
}

impl Browser {
    /// Starts the first browser that is installed, with its profile in `folder`; the error says why there is
    /// none.
    pub(crate) fn start(folder: &Path) -> Result<Self, String> {
        let known = ["chromium", "chromium-browser", "google-chrome"];
        let program = known
            .into_iter()
            .find(|name| Command::new(name).arg("--version").output().is_ok_and(|ran| ran.status.success()))
            .ok_or_else(|| format!("none of {known:?} is installed"))?;
        // It reads commands from descriptor 3 and answers to descriptor 4.
        let mut process = Command::new("sh")
            .args(["-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", "sh", program])
            .args(["--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--no-first-run"])
            .args(["--disable-dev-shm-usage", "--enable-unsafe-swiftshader", "--use-angle=swiftshader"])
            .arg(format!("--user-data-dir={}", folder.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{program} does not start: {error}"))?;
        let commands = process.stdin.take().unwrap();
        let mut answers = BufReader::new(process.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut message = Vec::new();
            while answers.read_until(0, &mut message).is_ok_and(|length| length > 0) {
                let told = serde_json::from_slice(message.strip_suffix(&[0]).unwrap_or(&message));
                if told.is_ok_and(|value| sender.send(value).is_err()) {
                    return;
                }
                message.clear();
            }
        });
        let mut browser = Self {
            process,
            commands,
            messages,
            session: None,
            sent: 0,
            errors: Vec::new(),
            requests: Vec::new(),
        };
        let tab = browser.ask("Target.createTarget", &json!({"url": "about:blank"}))?;
        let attached = json!({"targetId": tab["targetId"], "flatten": true});
        let attached = browser.ask("Target.attachToTarget", &attached)?;
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for part in ["Page", "Runtime", "Log", "Network"] {
            browser.ask(&format!("{part}.enable"), &json!({}))?;
        }
        // If not even an empty page is drawn, no other page can be tested.
        let drawn = "new Promise(done => requestAnimationFrame(() => done(true)))";
        browser.value(drawn).map_err(|reason| format!("{program} draws nothing here: {reason}"))?;
        Ok(browser)
    }

    pub(crate) fn open(&mut self, page: &Path) -> Result<(), String> {
        self.go(&format!("file://{}", page.display()))
    }

    pub(crate) fn go(&mut self, address: &str) -> Result<(), String> {
        self.ask("Page.navigate", &json!({"url": address})).map(drop)
    }

    /// Runs a script in every page that is opened, before its own.
    pub(crate) fn prepare(&mut self, script: &str) -> Result<(), String> {
        self.ask("Page.addScriptToEvaluateOnNewDocument", &json!({"source": script})).map(drop)
    }

    /// Whether pages that are opened from now on run their scripts.
    pub(crate) fn scripts(&mut self, on: bool) -> Result<(), String> {
        self.ask("Emulation.setScriptExecutionDisabled", &json!({"value": !on})).map(drop)
    }

    /// Sets the size of the window in pixels, each of which is one pixel of the picture.
    pub(crate) fn resize(&mut self, width: u32, height: u32) -> Result<(), String> {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.ask("Emulation.setDeviceMetricsOverride", &size).map(drop)
    }

    /// Sends a mouse event at a point of the window: `event` holds the type and its other fields.
    pub(crate) fn mouse(&mut self, [x, y]: [f64; 2], mut event: Value) -> Result<(), String> {
        event["x"] = json!(x);
        event["y"] = json!(y);
        self.ask("Input.dispatchMouseEvent", &event).map(drop)
    }

    /// Sends a touch event: `kind` is `touchStart`, `touchMove` or `touchEnd`.
    pub(crate) fn touch(&mut self, kind: &str, fingers: &[[f64; 2]]) -> Result<(), String> {
        let points: Vec<Value> =
            fingers.iter().enumerate().map(|(id, [x, y])| json!({"x": x, "y": y, "id": id})).collect();
        self.ask("Input.dispatchTouchEvent", &json!({"type": kind, "touchPoints": points})).map(drop)
    }

    /// The value of an expression in the page, awaited if it is a promise.
    pub(crate) fn value(&mut self, expression: &str) -> Result<Value, String> {
        let asked = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        Ok(self.ask("Runtime.evaluate", &asked)?["result"]["value"].take())
    }

    /// Evaluates until the value is as wanted; returns the last value if it never is.
    pub(crate) fn value_when(
        &mut self,
        expression: &str,
        wanted: impl Fn(&Value) -> bool,
    ) -> Result<Value, String> {
        let start = Instant::now();
        loop {
            let value = self.value(expression)?;
            if wanted(&value) || start.elapsed() > PATIENCE {
                return Ok(value);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The value of a function in the page of a copy of its canvas, in the pixels of the window: the last picture that is drawn after `act`,
    /// once nothing more is drawn. Pictures may be coarse while they change.
    pub(crate) fn canvas_after(&mut self, act: &str, function: &str) -> Result<Value, String> {
        // The page draws in its callback for an animation frame. One that is requested afterwards runs directly after it,
        // while the drawing is still there.
        self.value(&format!(
            "new Promise(done => {{
                const view = document.getElementById('view'), copy = document.createElement('canvas'), {{ dataset }} = document.body;
                let {{ shown }} = dataset, since = null;
                const look = () => {{
                    if (dataset.shown !== shown) {{
                        [shown, since] = [dataset.shown, performance.now()];
                        [copy.width, copy.height] = [view.clientWidth, view.clientHeight];
                        const pen = copy.getContext('2d');
                        pen.imageSmoothingQuality = 'high';
                        pen.drawImage(view, 0, 0, copy.width, copy.height);
                    }}
                    if (since !== null && performance.now() > since + 1000) done(copy); else requestAnimationFrame(look);
                }};
                {act};
                requestAnimationFrame(look);
            }}).then({function})"
        ))
    }

    fn ask(&mut self, method: &str, parameters: &Value) -> Result<Value, String> {
        self.sent += 1;
        let mut command = json!({"id": self.sent, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            command["sessionId"] = json!(session);
        }
        let sent = self.commands.write_all(format!("{command}\0").as_bytes());
        sent.map_err(|error| format!("it takes no commands: {error}"))?;
        let start = Instant::now();
        loop {
            let left = PATIENCE.saturating_sub(start.elapsed());
            let mut message = self
                .messages
                .recv_timeout(left)
                .map_err(|error| format!("no answer to {method}: {error}"))?;
            if message["id"] == self.sent {
                let error = message["error"].take();
                return if error.is_null() { Ok(message["result"].take()) } else { Err(error.to_string()) };
            }
            self.note(&message);
        }
    }

    fn note(&mut self, event: &Value) {
        let parameters = &event["params"];
        match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => self.errors.push(parameters["exceptionDetails"].to_string()),
            Some("Runtime.consoleAPICalled") if parameters["type"] == "error" => {
                self.errors.push(parameters["args"].to_string());
            }
            Some("Log.entryAdded") if parameters["entry"]["level"] == "error" => {
                self.errors.push(parameters["entry"].to_string());
            }
            Some("Network.requestWillBeSent") => {
                let address = parameters["request"]["url"].as_str().unwrap_or_default();
                self.requests.push(address.to_owned());
            }
            _ => {}
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
